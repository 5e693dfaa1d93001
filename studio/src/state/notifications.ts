import { effect, signal } from '@preact/signals';
import type { InboundMessage, LogRecord } from '../../../client/src/generated/types.ts';
import { changeOf, logChanges } from './changes.ts';
import { whenUp } from './connection.ts';
import { serviceNowMs } from './live.ts';
import { api } from './service.ts';

const HOUR_MS = 3_600_000;

/** Periods up to now that the list can be narrowed to. */
export const PERIODS: Record<string, { text: string; ms: number }> = {
  hour: { text: 'Last hour', ms: HOUR_MS },
  day: { text: 'Last 24 hours', ms: 24 * HOUR_MS },
  week: { text: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
};

const PAGE = 50;
const LOOKUP_MAX = 25;

type Listed = { query: string; items: InboundMessage[]; cursor?: string | undefined; isLoading: boolean };
export const listed = signal<Listed>({ query: '', items: [], isLoading: true });
/** Logs that were looked up, by tracking ID. */
export const records = signal<ReadonlyMap<string, LogRecord>>(new Map());
/** Logs that changed since; the earlier version stays visible until the new version is loaded. */
export const outdated = signal<ReadonlySet<string>>(new Set());

function queryOf(filters: Record<string, string>, cursor?: string) {
  const { user, type, status, eventType, since, to } = filters;
  const ms = PERIODS[since ?? '']?.ms;
  const from = ms === undefined ? filters.from : new Date(serviceNowMs() - ms).toISOString();
  const chosen = { userId: user, type, status, eventType, from, to, cursor };
  return { limit: PAGE, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)) };
}

export async function load(key: string, filters: Record<string, string>): Promise<void> {
  if (listed.value.query !== key) listed.value = { query: key, items: [], isLoading: true };
  const page = await api.logs.list(queryOf(filters));
  // The list may have other filters by now.
  if (listed.value.query === key)
    listed.value = { query: key, items: page.messages, cursor: page.nextCursor, isLoading: false };
}

/** Logs whose lookup is in progress: one that changes in the meantime is looked up again. */
const lookedUp = new Set<string>();

/** The count of changes that the records include, or that are known to make them outdated. */
let includedChanges = 0;

effect(() => {
  const { count } = logChanges.value;
  const changed = [...records.peek().keys(), ...lookedUp].filter((id) => changeOf(id) > includedChanges);
  if (changed.length > 0) outdated.value = new Set([...outdated.peek(), ...changed]);
  includedChanges = count;
});

/** Puts new entries at the top and keeps the rest; after more than a page of new entries, the list starts again. */
export async function refresh(key: string, filters: Record<string, string>): Promise<void> {
  const page = await api.logs.list(queryOf(filters));
  if (listed.value.query !== key) return;
  const known = new Set(listed.value.items.map(({ trackingId, eventType }) => trackingId + eventType));
  const fresh = page.messages.filter(({ trackingId, eventType }) => !known.has(trackingId + eventType));
  const isGap = fresh.length === page.messages.length && page.nextCursor !== undefined;
  const { items, cursor, isLoading } = listed.value;
  listed.value = isGap
    ? { query: key, items: page.messages, cursor: page.nextCursor, isLoading: false }
    : { query: key, items: [...fresh, ...items], cursor, isLoading: isLoading && cursor !== undefined };
}

export async function more(filters: Record<string, string>): Promise<void> {
  const { cursor, isLoading } = listed.value;
  if (!cursor || isLoading) return;
  // The list may have started again by then, with other filters or after a gap.
  const isSame = () => listed.value.cursor === cursor;
  listed.value = { ...listed.value, isLoading: true };
  try {
    const page = await api.logs.list(queryOf(filters, cursor));
    if (!isSame()) return;
    const items = [...listed.value.items, ...page.messages];
    listed.value = { ...listed.value, items, cursor: page.nextCursor, isLoading: false };
  } finally {
    // A failed page can be asked for again by scrolling.
    if (isSame()) listed.value = { ...listed.value, isLoading: false };
  }
}

/** Rows ask only once, so that what failed is asked for again. */
function again(ids: readonly string[]): void {
  outdated.value = new Set([...outdated.value, ...ids]);
  for (const each of ids) want(each);
}

const AGAIN_MS = 5000;
const shownIds = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Looks up the logs of rows that became visible, in batches. */
export function want(id: string): void {
  if (records.value.has(id) && !outdated.value.has(id)) return;
  shownIds.add(id);
  if (timer !== undefined) return;
  timer = setTimeout(async () => {
    timer = undefined;
    const ids = [...shownIds].slice(-LOOKUP_MAX);
    for (const each of ids) {
      shownIds.delete(each);
      lookedUp.add(each);
    }
    outdated.value = new Set([...outdated.value].filter((each) => !ids.includes(each)));
    try {
      const { logs } = await api.logs.getBulk({ trackingIds: ids });
      records.value = new Map([
        ...records.value,
        ...logs.map((log): [string, LogRecord] => [log.trackingId, log]),
      ]);
    } catch {
      whenUp().then(() => setTimeout(again, AGAIN_MS, ids));
    } finally {
      for (const each of ids) lookedUp.delete(each);
      for (const each of [...shownIds, ...ids.filter((id) => outdated.value.has(id))]) want(each);
    }
  }, 60);
}
