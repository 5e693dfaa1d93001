import { effect, signal } from '@preact/signals';
import type { InboundMessage, LogRecord } from '../../../client/src/generated/types.ts';
import { changeOf, logChanges } from './changes.ts';
import { whenUp } from './connection.ts';
import { api, serviceNowMs } from './service.ts';

const HOUR_MS = 3_600_000;

/** Periods up to now that the list can be narrowed to. */
export const PERIODS: Record<string, { text: string; ms: number }> = {
  hour: { text: 'Last hour', ms: HOUR_MS },
  day: { text: 'Last 24 hours', ms: 24 * HOUR_MS },
  week: { text: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
};

const PAGE = 50;
const LOOKUP_MAX = 25;

type Query = { limit: number; cursor?: string; [filter: string]: string | number | undefined };

type Listed = {
  query: string;
  items: InboundMessage[];
  /** The request of the next page: its cursor is bound to the filters of the page before, the start of a period among them. */
  next?: Query | undefined;
  isLoading: boolean;
  error?: unknown;
  /** The last request for the newest entries whose answer the list has, or needs no longer. */
  taken: number;
};
export const listed = signal<Listed>({ query: '', items: [], isLoading: true, taken: 0 });
/** Logs that were looked up, by tracking ID. */
export const records = signal<ReadonlyMap<string, LogRecord>>(new Map());
/** Logs that changed since; the earlier version stays visible until the new version is loaded. */
export const outdated = signal<ReadonlySet<string>>(new Set());

function queryOf(filters: Record<string, string>): Query {
  const { user, type, status, eventType, since, to } = filters;
  const ms = PERIODS[since ?? '']?.ms;
  const from = ms === undefined ? filters.from : new Date(serviceNowMs() - ms).toISOString();
  const chosen = { userId: user, type, status, eventType, from, to };
  return { limit: PAGE, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)) };
}

/** Requests for the newest entries so far. */
let asked = 0;

/** Starts the list again. What was asked before has no effect any more, its errors included. */
export function load(key: string, filters: Record<string, string>): Promise<void> {
  const items = listed.value.query === key ? listed.value.items : [];
  listed.value = { query: key, items, isLoading: true, taken: asked };
  return refresh(filters);
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
export async function refresh(filters: Record<string, string>): Promise<void> {
  asked += 1;
  const number = asked;
  const page = queryOf(filters);
  const outcome = await pageOrError(page);
  const { query, items, next, isLoading, taken } = listed.value;
  if (number <= taken) return;
  if ('error' in outcome) {
    listed.value = { ...listed.value, ...outcome };
    return;
  }
  const { messages, nextCursor } = outcome;
  const known = new Set(items.map(({ trackingId, eventType }) => trackingId + eventType));
  const fresh = messages.filter(({ trackingId, eventType }) => !known.has(trackingId + eventType));
  const isStart = isLoading && next === undefined;
  const isGap = fresh.length === messages.length && nextCursor !== undefined;
  listed.value =
    isStart || isGap
      ? { query, items: messages, next: pageAfter(page, nextCursor), isLoading: false, taken: number }
      : { query, items: [...fresh, ...items], next, isLoading, taken: number };
}

const pageOrError = (query: Query) => api.logs.list(query).catch((error: unknown) => ({ error }));

const pageAfter = (page: Query, cursor: string | undefined) =>
  cursor === undefined ? undefined : { ...page, cursor };

export async function more(): Promise<void> {
  const { next: page, isLoading } = listed.value;
  if (!page || isLoading) return;
  listed.value = { ...listed.value, isLoading: true };
  const outcome = await pageOrError(page);
  // The list may have started again by then, with other filters or after a gap.
  if (listed.value.next !== page) return;
  const { error: _, ...shown } = listed.value;
  // A failed page can be asked for again by scrolling.
  const next =
    'error' in outcome
      ? outcome
      : { items: [...shown.items, ...outcome.messages], next: pageAfter(page, outcome.nextCursor) };
  listed.value = { ...shown, ...next, isLoading: false };
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
