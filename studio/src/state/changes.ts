import { signal } from '@preact/signals';

/** Counts the changes of delivery logs; `ofAll` is the count at the last change that possibly concerns every log. */
export const logChanges = signal({ count: 0, ofAll: 0 });
/** By tracking ID: the count at its last change. Several changes are drawn together, so the last change is not enough. */
const changes = new Map<string, number>();
const CHANGES_MAX = 1000;

export function changed(trackingId?: string): void {
  const { count, ofAll } = logChanges.value;
  const isOfOne = trackingId !== undefined && changes.size < CHANGES_MAX;
  if (isOfOne) changes.set(trackingId, count + 1);
  else changes.clear();
  logChanges.value = { count: count + 1, ofAll: isOfOne ? ofAll : count + 1 };
}

export function changeOf(trackingId: string): number {
  return Math.max(logChanges.value.ofAll, changes.get(trackingId) ?? 0);
}
