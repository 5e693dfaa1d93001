import * as v from 'valibot';
import type { BillingPeriod } from '../../domain/usage-months.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';
import { type Database, database } from '../database.ts';
import { type Key, usageDayPrefix, usageKey, usagePk, usageRecountKey } from '../keys.ts';
import type { Item } from '../table.ts';
import { AGAIN, atRevision, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

/** One message, a cost without a message or an accepted notification to count, from a stream record. */
export type CountedSend = {
  accountId: string;
  channel?: Channel | undefined;
  count: number;
  costUsd: number;
  /** Notifications accepted, for the rate. */
  accepted?: number | undefined;
  atMs: number;
  /** Rises along a stream shard: shows whether the record was counted before. */
  sequenceNumber: string;
};

/** Usage of a month or billing period. `costUsd` is the cost of SMS and CALL. */
export type Usage = { counts: Record<Channel, number>; costUsd: number };

/** Messages by channel, in total and by day. */
type UsageDays = Pick<Usage, 'counts'> & { days: ({ date: string } & Pick<Usage, 'counts'>)[] };

/** Counters of an account's day are spread over this many items. */
const USAGE_SHARDS = 16;

const StoredCounter = v.object({
  counts: v.optional(v.record(v.string(), v.number()), {}),
  costMicros: v.optional(v.number(), 0),
  /** How far each stream shard has been counted: `<padded sequence number>` by shard. */
  positions: v.optional(v.record(v.string(), v.string()), {}),
  revision: v.optional(v.number(), 0),
  /** Notifications accepted in the latest window with some, and in the one before it. */
  rate: v.optional(v.object({ window: v.number(), count: v.number(), before: v.number() })),
});
type StoredCounter = v.InferOutput<typeof StoredCounter>;

/** The rate is measured over windows of ten seconds. */
const WINDOW_MS = 10_000;
/** Below that in a window of one counter, no account has grown. */
const NOTABLE_COUNT = 100;
const windowOf = (ms: number) => Math.floor(ms / WINDOW_MS);

/** Exact usage counters: every stream record counts once, however often its batch is retried. */
export type UsageCounters = {
  /**
   * Counts records of one stream shard, in order. Counting them again adds nothing. Returns the accounts for
   * which a window with many notifications has ended.
   */
  count(streamShard: string, sends: readonly CountedSend[], nowMs: number): Promise<string[]>;
  /** Notifications accepted per second in the last complete window. */
  acceptedPerSecond(accountId: string, nowMs: number): Promise<number>;
  /**
   * Adds to a day what was sent and never counted, because its stream records expired; returns that. `found` is all that
   * the account sent on the day. Repeating it changes nothing.
   */
  recount(accountId: string, date: string, found: Usage, options: { isDryRun: boolean }): Promise<Usage>;
  /** Messages of a calendar month `YYYY-MM` (UTC), in total and of each day with any (YYYY-MM-DD, ascending). */
  daysOfMonth(accountId: string, yearMonth: string): Promise<UsageDays>;
  /** Usage of a calendar month `YYYY-MM` (UTC). */
  ofMonth(accountId: string, yearMonth: string): Promise<Usage>;
  /** Usage from `startDate` until before `endDate` (YYYY-MM-DD, UTC), at most a month apart. */
  ofPeriod(accountId: string, period: BillingPeriod): Promise<Usage>;
};

function createUsageCounters(table: Database): UsageCounters {
  /** Whether the records could be added without reading the counter, which saves a read unit and a call. */
  async function addUnread(
    key: Key,
    streamShard: string,
    sends: readonly CountedSend[],
    nowMs: number,
  ): Promise<boolean> {
    // The rate of accepted notifications depends on the stored one.
    if (sends.some(({ accepted }) => accepted)) return false;
    return (await table.update(key, ...additionOf(streamShard, sends, nowMs))).written;
  }

  async function add(
    key: Key,
    streamShard: string,
    sends: readonly CountedSend[],
    nowMs: number,
  ): Promise<boolean> {
    if (await addUnread(key, streamShard, sends, nowMs)) return false;
    return untilSettled(async () => {
      const item = await table.get(key, { consistent: true });
      const stored = readStored('usage counter', StoredCounter, item ?? {});
      const position = stored.positions[streamShard] ?? '';
      const fresh = sends.filter((send) => padded(send.sequenceNumber) > position);
      if (fresh.length === 0) return false;
      const outcome = await table.put(
        { ...key, ...counted(stored, streamShard, fresh, nowMs) },
        item ? atRevision(stored.revision) : { condition: 'attribute_not_exists(pk)' },
      );
      if (!outcome.written) return AGAIN;
      const { rate } = stored;
      return rate !== undefined && rate.window < windowOf(nowMs) && rate.count >= NOTABLE_COUNT;
    });
  }

  async function readItems(accountId: string, yearMonth: string) {
    const items = await table.queryAll(usagePk(accountId, yearMonth), usageDayPrefix(), { consistent: true });
    return items.map((item) => ({
      ...readStored('usage counter', StoredCounter, item),
      day: String(item.sk).slice(4, 6),
    }));
  }

  return {
    async count(streamShard, sends, nowMs) {
      const groups = Map.groupBy(sends, (send) => `${send.accountId}\n${dayOf(send.atMs)}`);
      const notable = await Promise.all(
        [...groups.values()].map(async (group) => {
          const [first] = group;
          if (!first) return [];
          const key = usageKey(first.accountId, dayOf(first.atMs), shardOf(streamShard, USAGE_SHARDS));
          return (await add(key, streamShard, group, nowMs)) ? [first.accountId] : [];
        }),
      );
      return [...new Set(notable.flat())];
    },

    async acceptedPerSecond(accountId, nowMs) {
      const [month, day] = [dayOf(nowMs).slice(0, 7), dayOf(nowMs).slice(8)];
      const items = await table.queryAll(usagePk(accountId, month), usageDayPrefix(day));
      const last = windowOf(nowMs) - 1;
      const counts = items.map((item) => {
        const { rate } = readStored('usage counter', StoredCounter, item);
        return rate?.window === last ? rate.count : rate?.window === last + 1 ? rate.before : 0;
      });
      return sum(counts) / (WINDOW_MS / 1000);
    },

    async recount(accountId, date, found, { isDryRun }) {
      const key = usageRecountKey(accountId, date);
      const items = await table.queryAll(key.pk, usageDayPrefix(date.slice(8)), { consistent: true });
      const counters = items.filter(({ sk }) => sk !== key.sk);
      const known = sumOf(counters.map((item) => readStored('usage counter', StoredCounter, item)));
      const missing = (all: number, part: number) => Math.max(0, all - part);
      const counts = mapChannels((channel) => missing(found.counts[channel], known.counts[channel]));
      const costMicros = missing(microsOf(found.costUsd), microsOf(known.costUsd));
      const isChanged = items.length > counters.length || costMicros > 0 || sum(Object.values(counts)) > 0;
      if (isChanged && !isDryRun) await table.put({ ...key, counts, costMicros });
      return { counts, costUsd: costMicros / 1e6 };
    },

    async daysOfMonth(accountId, yearMonth) {
      const items = await readItems(accountId, yearMonth);
      const days = [...Map.groupBy(items, ({ day }) => day)].sort(([left], [right]) =>
        left < right ? -1 : 1,
      );
      return {
        counts: sumOf(items).counts,
        days: days.map(([day, ofDay]) => ({ date: `${yearMonth}-${day}`, counts: sumOf(ofDay).counts })),
      };
    },

    ofMonth: async (accountId, yearMonth) => sumOf(await readItems(accountId, yearMonth)),

    async ofPeriod(accountId, { startDate, endDate }) {
      const months = [...new Set([startDate.slice(0, 7), endDate.slice(0, 7)])];
      const items = await Promise.all(
        months.map(async (month) =>
          (await readItems(accountId, month)).filter(({ day }) => {
            const date = `${month}-${day}`;
            return date >= startDate && date < endDate;
          }),
        ),
      );
      return sumOf(items.flat());
    },
  };
}

/** A number for every channel. */
function mapChannels(count: (channel: Channel) => number): Record<Channel, number> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, count(channel)])) as Record<Channel, number>;
}

/** Sums counters over their shards and days. */
function sumOf(counters: readonly StoredCounter[]): Usage {
  const counts = mapChannels((channel) => sum(counters.map((each) => each.counts[channel] ?? 0)));
  return { counts, costUsd: sum(counters.map((each) => each.costMicros)) / 1e6 };
}

/**
 * The update that adds the records to an existing counter, if none of them was counted before and no window with many
 * notifications has ended.
 */
function additionOf(streamShard: string, sends: readonly CountedSend[], nowMs: number) {
  const positions = sends.map((send) => padded(send.sequenceNumber)).sort();
  const counts = [...Map.groupBy(sends, ({ channel }) => channel)].flatMap(([channel, list], index) =>
    channel ? [{ channel, index, count: sum(list.map(({ count }) => count)) }] : [],
  );
  const added = counts.map(
    ({ index }) => `, #counts.#c${index} = if_not_exists(#counts.#c${index}, :zero) + :c${index}`,
  );
  const expression =
    'SET positions.#shard = :last, revision = if_not_exists(revision, :zero) + :one, ' +
    `costMicros = if_not_exists(costMicros, :zero) + :cost${added.join('')}`;
  const condition =
    'attribute_exists(#counts) AND attribute_exists(positions) ' +
    'AND (attribute_not_exists(positions.#shard) OR positions.#shard < :first) ' +
    'AND (attribute_not_exists(#rate) OR #rate.#window >= :window OR #rate.#count < :notable)';
  const names = {
    '#counts': 'counts',
    '#shard': streamShard,
    '#rate': 'rate',
    '#window': 'window',
    '#count': 'count',
    ...Object.fromEntries(counts.map(({ channel, index }) => [`#c${index}`, channel])),
  };
  const values = {
    ':first': positions[0],
    ':last': positions.at(-1),
    ':zero': 0,
    ':one': 1,
    ':cost': sum(sends.map((send) => microsOf(send.costUsd))),
    ':window': windowOf(nowMs),
    ':notable': NOTABLE_COUNT,
    ...Object.fromEntries(counts.map(({ count, index }) => [`:c${index}`, count])),
  };
  return [expression, { condition, names, values }] as const;
}

function counted(
  stored: StoredCounter,
  streamShard: string,
  fresh: readonly CountedSend[],
  nowMs: number,
): Item {
  const counts = { ...stored.counts };
  for (const { channel, count } of fresh) if (channel) counts[channel] = (counts[channel] ?? 0) + count;
  const last =
    fresh
      .map((send) => padded(send.sequenceNumber))
      .sort()
      .at(-1) ?? '';
  // No position may be dropped: a redelivered batch of its stream shard would be counted again. A day has few
  // stream shards.
  const positions = { ...stored.positions, [streamShard]: last };
  return {
    counts,
    costMicros: stored.costMicros + sum(fresh.map((send) => microsOf(send.costUsd))),
    positions,
    revision: stored.revision + 1,
    rate: rateAfter(stored.rate, sum(fresh.map(({ accepted = 0 }) => accepted)), windowOf(nowMs)),
  };
}

function rateAfter(rate: StoredCounter['rate'], accepted: number, window: number): StoredCounter['rate'] {
  if (!rate || rate.window < window - 1) return { window, count: accepted, before: 0 };
  if (rate.window === window - 1) return { window, count: accepted, before: rate.count };
  return { ...rate, count: rate.count + accepted };
}

/** Sequence numbers are decimal strings of up to 40 digits. */
const padded = (sequenceNumber: string) => sequenceNumber.padStart(40, '0');
const microsOf = (usd: number) => Math.round(usd * 1e6);
/** The day of a time, `YYYY-MM-DD` in UTC. */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

export const usageCounters = dependency('usageCounters', () => createUsageCounters(resolve(database)));
