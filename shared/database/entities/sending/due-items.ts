import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { sweepKey } from '../../keys/account.ts';
import {
  DOMAIN_POLL_PK,
  DUE_SHARDS,
  duePk,
  indexTime,
  readyPk,
  timeOfIndexSk,
  waitingShard,
  waitingTag,
} from '../../keys/indexes.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../keys/key.ts';
import { DIGEST_PREFIX } from '../../keys/log.ts';
import { ERASURE_PASS_PREFIX, ERASURE_PREFIX, RECHECK_SK } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** Between two sweeps. */
const TICK_MS = 60_000;
/** What is still waiting so long after its time may be lost on its way, and is enqueued again. */
const OVERDUE_MS = TICK_MS;
/** Read again before the last sweep. What is older has been enqueued: a started step leaves its time in the index. */
const LOOK_BACK_MS = 2 * TICK_MS;
/** Items of a shard in one round of a sweep. */
const ROUND_ITEMS = 1000;

export type DueItem = { pk: string; dueAtMs: number };

/** Where a list of ready notifications resumes: a shard, and the position in it. */
type ReadyPlace = { shard: number; position?: string | undefined };

/** Waiting work, by the sparse index `due`. */
export type DueItems = ReturnType<typeof createDueItems>;

type Swept = { found: number; refused: number; isComplete: boolean };

const StoredSweep = v.object({
  /** The sort key of each shard until which everything was enqueued. */
  positions: v.optional(v.array(v.string()), []),
  /** Shards of the index, raised before anything is written to a further one. */
  dueShards: v.optional(v.number(), DUE_SHARDS),
});

function createDueItems(table: Database) {
  return bound(table, { pagesBetween, listMadeReady, listOfUser, listWaiting, nextDueAtMs, sweep });
}

async function readPage(
  table: Database,
  shard: number,
  range: [string, string],
  { startKey, limit }: { startKey?: Record<string, unknown> | undefined; limit?: number } = {},
) {
  const [from, to] = range;
  const page = await table.query({
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :pk AND dueSk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': duePk(shard), ':from': from, ':to': to },
    ExclusiveStartKey: startKey,
    Limit: limit,
  });
  const items = page.items.map((item) => {
    const dueSk = String(item.dueSk);
    return { pk: String(item.pk), dueSk, dueAtMs: timeOfIndexSk(dueSk), shard };
  });
  return { shard, items, next: page.lastKey && { shard, startKey: page.lastKey } };
}

async function findSweep(table: Database) {
  const item = await table.get(sweepKey(), { consistent: true });
  return item && readStored('sweep', StoredSweep, item);
}

const shardCount = async (table: Database) => (await findSweep(table))?.dueShards ?? DUE_SHARDS;

/** Items due from `fromMs` to `toMs`, earliest first per shard; the shards are read side by side, page by page. */
async function* pagesBetween(table: Database, fromMs: number, toMs: number): AsyncIterable<DueItem[]> {
  const range: [string, string] = [indexTime(fromMs), indexTime(toMs + 1)];
  let reads: { shard: number; startKey?: Record<string, unknown> }[] = Array.from(
    { length: await shardCount(table) },
    (_, shard) => ({ shard }),
  );
  while (reads.length > 0) {
    const pages = await Promise.all(
      reads.map(({ shard, startKey }) => readPage(table, shard, range, { startKey })),
    );
    const items = pages.flatMap((page) => page.items);
    if (items.length > 0) yield items;
    reads = pages.flatMap((page) => (page.next ? [page.next] : []));
  }
}

/**
 * Lists the notifications that schedules and digests made ready from `fromMs` to before `toMs`, whenever
 * they were accepted, a page at a time: tracking IDs in the order of their shards. `next` is where to
 * resume; absent after the last page.
 */
async function listMadeReady(
  table: Database,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  place: ReadyPlace,
  limit: number,
): Promise<{ trackingIds: string[]; next?: ReadyPlace }> {
  const trackingIds: string[] = [];
  const shards = await shardCount(table);
  let { position } = place;
  for (let { shard } = place; shard < shards; shard += 1, position = undefined) {
    const page = await table.query({
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :pk AND dueSk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': readyPk(shard),
        // Both ends are included: a position also has an item ID.
        ':from': position === undefined ? indexTime(fromMs) : `${position}\u0000`,
        ':to': indexTime(toMs),
      },
      Limit: limit - trackingIds.length,
    });
    trackingIds.push(...page.items.map((item) => trackingIdOfPk(String(item.pk))));
    const last = page.items.at(-1);
    if (trackingIds.length === limit && last) {
      return { trackingIds, next: { shard, position: String(last.dueSk) } };
    }
  }
  return { trackingIds };
}

const PAGES_MAX = 20;

/**
 * Lists the partitions of what waits for a user from `fromMs`: steps, held channels, later attempts; earliest first. They
 * may have ended since. At most the first 200,000 waiting entries of the shard are read.
 * The index has no other attributes to filter by than keys, which are short: a page has about ten thousand.
 */
async function listOfUser(
  table: Database,
  user: { environmentId: string; userId: string },
  { fromMs, feedShards }: { fromMs: number; feedShards: number },
): Promise<string[]> {
  const tag = waitingTag(user);
  const shards = new Set(
    [DUE_SHARDS, Math.max(DUE_SHARDS, feedShards)].map((count) => waitingShard(user, count)),
  );
  const found: { dueSk: string; pk: string }[] = [];
  for (const shard of shards) {
    let startKey: Item | undefined;
    for (let page = 0; page === 0 || (startKey && page < PAGES_MAX); page += 1) {
      const { items, lastKey } = await table.query({
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :pk AND dueSk >= :from',
        ExpressionAttributeValues: { ':pk': duePk(shard), ':from': indexTime(fromMs) },
        ExclusiveStartKey: startKey,
      });
      for (const { pk, dueSk } of items)
        if (String(dueSk).endsWith(tag)) found.push({ dueSk: String(dueSk), pk: String(pk) });
      startKey = lastKey;
    }
  }
  found.sort((left, right) => (left.dueSk < right.dueSk ? -1 : 1));
  return [...new Set(found.map(({ pk }) => pk))];
}

/** What was swept may be on its queue for so long. */
const QUEUED_MS = 15 * 60_000;
const LAST = '\uffff';

/**
 * Lists what waits, for whomever, earliest first: at most `limit` entries from what no sweep has passed, or after
 * `position`. `next` is where to resume; absent at the end. An entry may have ended since, or have been moved.
 */
async function listWaiting(
  table: Database,
  { nowMs, limit, position }: { nowMs: number; limit: number; position?: string | undefined },
): Promise<{ items: (DueItem & { dueSk: string })[]; next?: string }> {
  const sweep = await findSweep(table);
  const sweptMs = Math.min(nowMs, ...(sweep?.positions ?? []).map(timeOfIndexSk).filter((ms) => ms > 0));
  const from = position === undefined ? indexTime(Math.max(0, sweptMs - QUEUED_MS)) : `${position}\u0000`;
  const shards = Array.from({ length: sweep?.dueShards ?? DUE_SHARDS }, (_, shard) => shard);
  const pages = await Promise.all(
    shards.map((shard) => readPage(table, shard, [from, LAST], { limit: Math.ceil(limit / shards.length) })),
  );
  // A shard can have more items before the end of another shard's page.
  const ends = pages.flatMap(({ items, next }) => (next ? [items.at(-1)?.dueSk ?? from] : []));
  const end = ends.length > 0 ? ends.reduce((least, each) => (each < least ? each : least)) : undefined;
  const items = pages
    .flatMap((page) => page.items)
    .filter(({ dueSk }) => end === undefined || dueSk <= end)
    .toSorted((left, right) => (left.dueSk < right.dueSk ? -1 : 1));
  return { items, ...(end === undefined ? undefined : { next: end }) };
}

/** The next due time after `afterMs`, including domain checks; undefined if nothing waits. `isAwaited` leaves out internal work. */
async function nextDueAtMs(
  table: Database,
  afterMs: number,
  { isAwaited = false } = {},
): Promise<number | undefined> {
  const shards = Array.from({ length: await shardCount(table) }, (_, shard) => duePk(shard));
  const pages = await Promise.all(
    [DOMAIN_POLL_PK, ...shards].map((pk) =>
      table.query({
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :pk AND dueSk > :after',
        ExpressionAttributeValues: { ':pk': pk, ':after': indexTime(afterMs + 1) },
        Limit: isAwaited ? AWAITED_AMONG : 1,
      }),
    ),
  );
  const times = pages.flatMap(({ items }) =>
    items.filter((item) => !isAwaited || !isInternal(item)).map(dueAtMsOf),
  );
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Internal items of a shard that may precede one that a person waits for. */
const AWAITED_AMONG = 100;
const isInternal = ({ pk, sk }: Item) =>
  sk === RECHECK_SK || [ERASURE_PREFIX, ERASURE_PASS_PREFIX].some((prefix) => String(pk).startsWith(prefix));

/** Only these are enqueued from the stream when they are written shortly before their time. */
const isStreamed = (pk: string) => pk.startsWith(LOG_PK_PREFIX) || pk.startsWith(DIGEST_PREFIX);

/**
 * Passes what is due until `untilMs` to `send`, which returns the indexes of refused items. Each item is passed once, and again
 * in the minutes after it is overdue (items of the first round). Works in rounds, earliest first in every shard, and stores its
 * position after each round. The next round or sweep continues there, also in a shard with a refused item. Ends early when
 * `mayGoOn` says so.
 */
async function sweep(
  table: Database,
  { nowMs, untilMs, mayGoOn }: { nowMs: number; untilMs: number; mayGoOn: () => boolean },
  send: (items: DueItem[]) => Promise<number[]>,
): Promise<Swept> {
  const stored = await findSweep(table);
  const to = indexTime(untilMs + 1);
  const soon = indexTime(nowMs + TICK_MS);
  const shards = Array.from({ length: stored?.dueShards ?? DUE_SHARDS }, (_, shard) => shard);
  // A clock that was set back leaves positions that have not come yet.
  const positions = shards.map((shard) => stored?.positions[shard] ?? '').map((at) => (at > to ? '' : at));
  const swept: Swept = { found: 0, refused: 0, isComplete: false };
  const readBackMs = untilMs - nowMs + LOOK_BACK_MS;
  let reads = positions.map((position, shard) => {
    return { shard, from: indexTime(Math.max(0, timeOfIndexSk(position) - readBackMs)) };
  });
  let overdue = indexTime(nowMs - OVERDUE_MS);
  for (; reads.length > 0 && mayGoOn(); overdue = '') {
    const pages = await Promise.all(
      reads.map(({ shard, from }) => readPage(table, shard, [from, to], { limit: ROUND_ITEMS })),
    );
    const items = pages
      .flatMap((page) => page.items)
      .filter(
        ({ pk, shard, dueSk }) =>
          dueSk > (positions[shard] ?? '') || dueSk < (isStreamed(pk) ? overdue : soon),
      )
      .toSorted(byDueTime);
    const refused = new Set((items.length > 0 ? await send(items) : []).map((index) => items[index]));
    reads = pages.flatMap(({ shard, items: read, next }) => {
      const stop = read.find((item) => refused.has(item));
      const accepted = stop ? read.slice(0, read.indexOf(stop)) : read;
      const reached = stop || next ? (accepted.at(-1)?.dueSk ?? '') : to;
      if (reached > (positions[shard] ?? '')) positions[shard] = reached;
      // What was refused may be accepted in the next round, but not again and again.
      const goesOn = stop ? accepted.length > 0 : next;
      return goesOn ? [{ shard, from: `${reached}\u0000` }] : [];
    });
    await table.update(sweepKey(), 'SET positions = :positions', { values: { ':positions': positions } });
    swept.found += items.length;
    swept.refused += refused.size;
  }
  return { ...swept, isComplete: reads.length === 0 };
}

const dueAtMsOf = (item: Item) => timeOfIndexSk(String(item.dueSk));

/** Sorts by due time. At the same moment, a notification precedes the digest that may collect it. */
export function byDueTime(left: DueItem, right: DueItem): number {
  return left.dueAtMs - right.dueAtMs || Number(isDigest(left)) - Number(isDigest(right));
}

const isDigest = ({ pk }: DueItem) => pk.startsWith(DIGEST_PREFIX);

export const dueItems = dependency('dueItems', () => createDueItems(resolve(database)));
