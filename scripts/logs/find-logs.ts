import * as v from 'valibot';
import { chunksOf } from '../../shared/runtime/async/chunks.ts';
import type { Api } from '../frame/api.ts';
import { type ShownLog, ShownLogs } from './log-record.ts';

/** The filters of GET /logs by their names on the command line. */
export const PARAMETERS = {
  user: 'userId',
  type: 'type',
  subNotificationId: 'subNotificationId',
  from: 'from',
  to: 'to',
  status: 'status',
  eventType: 'eventType',
} as const;

/** Selects logs; absent fields match any. */
export type LogFilter = { [Name in keyof typeof PARAMETERS]?: string | undefined } & {
  failed?: boolean | undefined;
};

const Page = v.object({
  messages: v.array(v.object({ trackingId: v.string() })),
  nextCursor: v.optional(v.string()),
});

/** Limit of a lookup by tracking IDs. */
export const IDS_MAX = 25;
const PAGE_LENGTH = 100;
/** Each page reads up to 500 notifications. */
const PAGES_MAX = 20;

/** Finds the newest matching logs, newest first; failed logs by the time of the failure. */
export async function findLogs(api: Api, filter: LogFilter, count: number): Promise<ShownLog[]> {
  const query = new URLSearchParams({ limit: String(PAGE_LENGTH) });
  if (filter.failed) query.set('status', 'failed');
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = filter[name as keyof typeof PARAMETERS];
    if (value !== undefined) query.set(parameter, value);
  }
  const ids = new Set<string>();
  for (let pages = 0; pages < PAGES_MAX && ids.size < count; pages += 1) {
    const page = v.parse(Page, await api.call('GET', `/logs?${query}`));
    for (const { trackingId } of page.messages) ids.add(trackingId);
    if (page.nextCursor === undefined) break;
    query.set('cursor', page.nextCursor);
  }
  return readLogs(api, [...ids].slice(0, count));
}

export async function readLogs(api: Api, ids: readonly string[]): Promise<ShownLog[]> {
  const found: ShownLog[] = [];
  for (const trackingIds of chunksOf(ids, IDS_MAX)) {
    found.push(...v.parse(ShownLogs, await api.call('POST', '/logs/bulk', { trackingIds })).logs);
  }
  return found;
}
