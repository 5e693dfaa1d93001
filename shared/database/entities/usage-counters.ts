import * as v from 'valibot';
import type { BillingPeriod } from '../../domain/usage-months.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';
import { type Database, database } from '../database.ts';
import { usageKey, usagePk } from '../keys.ts';
import type { Item } from '../table.ts';
import { AGAIN, atRevision, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

/** One message (or a cost without a message) to count, from a stream record. */
export type CountedSend = {
  accountId: string;
  channel: Channel;
  count: number;
  costUsd: number;
  atMs: number;
  /** Rises along a stream shard: tells whether the record was counted before. */
  sequenceNumber: string;
};

/** Usage of a month or billing period. `costUsd` is of SMS and CALL. */
export type Usage = { counts: Record<Channel, number>; costUsd: number };

/** Counters of an account's day are spread over this many items. */
export const USAGE_SHARDS = 16;

const StoredCounter = v.object({
  counts: v.optional(v.record(v.string(), v.number()), {}),
  costMicros: v.optional(v.number(), 0),
  /** How far each stream shard has been counted: `<padded sequence number>` by shard. */
  positions: v.optional(v.record(v.string(), v.string()), {}),
  revision: v.optional(v.number(), 0),
});

/** Exact usage counters: every stream record counts once, however often its batch is retried (DESIGN 4). */
export type UsageCounters = {
  /** Counts records of one stream shard, in their order. Counting them again adds nothing. */
  count(streamShard: string, sends: readonly CountedSend[]): Promise<void>;
  /** Usage of a calendar month `YYYY-MM` (UTC). */
  ofMonth(accountId: string, yearMonth: string): Promise<Usage>;
  /** Usage from `startDate` until before `endDate` (YYYY-MM-DD, UTC), at most a month apart. */
  ofPeriod(accountId: string, period: BillingPeriod): Promise<Usage>;
};

/** Builds the counters on the table. */
export function createUsageCounters(table: Database): UsageCounters {
  async function add(
    key: { pk: string; sk: string },
    streamShard: string,
    sends: readonly CountedSend[],
  ): Promise<void> {
    await untilSettled(async () => {
      const item = await table.get(key, { consistent: true });
      const stored = readStored('usage counter', StoredCounter, item ?? {});
      const position = stored.positions[streamShard] ?? '';
      const fresh = sends.filter((send) => padded(send.sequenceNumber) > position);
      if (fresh.length === 0) return undefined;
      const outcome = await table.put(
        { ...key, ...counted(stored, streamShard, fresh) },
        item ? atRevision(stored.revision) : { condition: 'attribute_not_exists(pk)' },
      );
      return outcome.written ? undefined : AGAIN;
    });
  }

  async function itemsOf(accountId: string, yearMonth: string) {
    const items = await table.queryAll(usagePk(accountId, yearMonth), 'DAY#', { consistent: true });
    return items.map((item) => ({
      ...readStored('usage counter', StoredCounter, item),
      day: String(item.sk).slice(4, 6),
    }));
  }

  return {
    async count(streamShard, sends) {
      const groups = Map.groupBy(sends, (send) => `${send.accountId}\n${dayOf(send.atMs)}`);
      await Promise.all(
        [...groups.values()].map((group) => {
          const [first] = group;
          if (!first) return undefined;
          const shard = shardOf(streamShard, USAGE_SHARDS);
          return add(usageKey(first.accountId, dayOf(first.atMs), shard), streamShard, group);
        }),
      );
    },

    ofMonth: async (accountId, yearMonth) => sumOf(await itemsOf(accountId, yearMonth)),

    async ofPeriod(accountId, { startDate, endDate }) {
      const months = [...new Set([startDate.slice(0, 7), endDate.slice(0, 7)])];
      const items = await Promise.all(
        months.map(async (month) =>
          (await itemsOf(accountId, month)).filter(({ day }) => {
            const date = `${month}-${day}`;
            return date >= startDate && date < endDate;
          }),
        ),
      );
      return sumOf(items.flat());
    },
  };
}

/** Sums counters over their shards and days. */
function sumOf(counters: readonly v.InferOutput<typeof StoredCounter>[]): Usage {
  const counts = Object.fromEntries(
    CHANNELS.map((channel) => [channel, sum(counters.map((each) => each.counts[channel] ?? 0))]),
  ) as Record<Channel, number>;
  return { counts, costUsd: sum(counters.map((each) => each.costMicros)) / 1e6 };
}

function counted(
  stored: v.InferOutput<typeof StoredCounter>,
  streamShard: string,
  fresh: readonly CountedSend[],
): Item {
  const counts = { ...stored.counts };
  for (const send of fresh) counts[send.channel] = (counts[send.channel] ?? 0) + send.count;
  const last =
    fresh
      .map((send) => padded(send.sequenceNumber))
      .sort()
      .at(-1) ?? '';
  // None may be dropped: a redelivered batch of its stream shard would be counted again. A day has few stream shards.
  const positions = { ...stored.positions, [streamShard]: last };
  return {
    counts,
    costMicros: stored.costMicros + sum(fresh.map((send) => Math.round(send.costUsd * 1e6))),
    positions,
    revision: stored.revision + 1,
  };
}

/** Sequence numbers are decimal texts of up to 40 digits. */
const padded = (sequenceNumber: string) => sequenceNumber.padStart(40, '0');
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Usage counters of this deployment. */
export const usageCounters = dependency('usageCounters', () => createUsageCounters(resolve(database)));
