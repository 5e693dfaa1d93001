import type { Blobs } from '../../../blobs/blobs-port.ts';
import type { LogEvent } from '../../../domain/logs/log.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { Database } from '../../database.ts';
import { logPk } from '../../keys/key.ts';
import { headKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { readEvent } from './log-event.ts';
import { isExpired, type StoredLogHead } from './log-head.ts';
import type { HeadItems } from './log-head-items.ts';
import { type EventItem, type HeadItem, readLogItem } from './log-items.ts';

/** The head and events of one notification, with its expiry. */
export type Log = {
  head: StoredLogHead;
  events: LogEvent[];
  /** Head and events as the stream has them. */
  items: (HeadItem | EventItem)[];
};

export type LogParts = {
  table: Database;
  store: () => Blobs;
  headItem: HeadItems['headItem'];
  readHead: HeadItems['readHead'];
};

/** Returns the stages of the digests that contain a collected notification. An omitted one has its own. */
export async function digestEvents(
  parts: LogParts,
  events: readonly LogEvent[],
  nowMs: number,
): Promise<LogEvent[]> {
  const isLeftOut = ({ stage }: LogEvent) => stage === 'failed' || stage === 'withheld';
  const leftOut = new Set(events.filter(isLeftOut).map(({ channel }) => channel));
  const carried = events.filter((event) => event.carrier && !leftOut.has(event.channel));
  const found = await Promise.all(
    carried.map(async ({ channel, carrier }) => {
      const log = carrier && (await findLog(parts, carrier.trackingId, nowMs));
      const sinceMs = log?.head.processedAtMs;
      return (log?.events ?? [])
        .filter((event) => event.channel === channel)
        .map((event) => ({ ...event, ...defined({ sinceMs }) }));
    }),
  );
  return found.flat();
}

/** The head alone, by one consistent GetItem; undefined when unknown or expired. */
export async function findHead(
  parts: LogParts,
  trackingId: string,
  nowMs: number,
): Promise<StoredLogHead | undefined> {
  const item = await parts.table.get(headKey(trackingId), { consistent: true });
  return item && !isExpired(item, nowMs) ? parts.readHead(item) : undefined;
}

/**
 * One notification's log by one consistent Query; undefined if unknown or expired. With `isHidden`, also
 * one whose retention has ended but which is kept because its outcome may be missing.
 */
export async function findLog(
  parts: LogParts,
  trackingId: string,
  nowMs: number,
  options?: { isHidden: boolean },
): Promise<Log | undefined> {
  const items = await queryLog(parts.table, trackingId);
  const headOf = items.find((item) => item.sk === 'HEAD');
  if (!headOf || isExpired(headOf, nowMs, options)) return undefined;
  const events = items.filter((item) => item !== headOf);
  return {
    head: await parts.readHead(headOf),
    events: eventsOf(events),
    get items() {
      return items.map(readLogItem).filter((item) => item !== undefined);
    },
  };
}

export const eventsOf = (items: readonly Item[]) =>
  items.map(readEvent).filter((event) => event !== undefined);

async function queryLog(table: Database, trackingId: string): Promise<Item[]> {
  return table.queryAll(logPk(trackingId), '', { consistent: true });
}
