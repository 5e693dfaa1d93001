import { useEffect, useRef } from 'preact/hooks';
import type { LogRecord } from '../../../client/src/generated/types.ts';
import { outdated, records, want } from '../state/notifications.ts';

/** The log of a notification, looked up when a row shows it and again after each change. */
export function useRecord(trackingId: string): LogRecord | undefined {
  const record = records.value.get(trackingId);
  const isWanted = record === undefined || outdated.value.has(trackingId);
  useEffect(() => {
    if (isWanted) want(trackingId);
  }, [trackingId, isWanted]);
  return record;
}

/** The entry that a wide screen shows before one is chosen: the newest when the list appeared, or when that one was deleted. */
export function useFirst<T>(
  list: readonly T[] | undefined,
  key: string,
  isDeleted: (entry: T) => boolean = () => false,
): T | undefined {
  const first = useRef<{ key: string; entry: T } | undefined>(undefined);
  const [newest] = list ?? [];
  if (first.current && (first.current.key !== key || isDeleted(first.current.entry)))
    first.current = undefined;
  if (!first.current && newest !== undefined) first.current = { key, entry: newest };
  return matchMedia('(min-width: 640px)').matches ? first.current?.entry : undefined;
}
