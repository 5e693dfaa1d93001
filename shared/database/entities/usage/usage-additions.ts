import * as v from 'valibot';
import type { Channel } from '../../../schemas/channel.ts';
import type { Database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import type { Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

/** Sequence numbers are decimal strings of up to 40 digits. */
const padded = (sequenceNumber: string) => sequenceNumber.padStart(40, '0');

/** One message, a cost without a message or an accepted notification to count, from a stream record. */
export type CountedSend = {
  accountId: string;
  channel?: Channel | undefined;
  count: number;
  costUsd: number;
  /** Amounts to add to other counters of the day, by name. */
  amounts?: Readonly<Record<string, number>> | undefined;
  /** Notifications accepted, for the rate. */
  accepted?: number | undefined;
  atMs: number;
  /** Rises along a stream shard: shows whether the record was counted before. */
  sequenceNumber: string;
};

export const StoredCounter = v.object({
  counts: v.optional(v.record(v.string(), v.number()), {}),
  costMicros: v.optional(v.number(), 0),
  /** How far each stream shard has been counted: `<padded sequence number>` by shard. */
  positions: v.optional(v.record(v.string(), v.string()), {}),
  revision: v.optional(v.number(), 0),
  /** Notifications accepted in the latest window that has any, and in the window before it. */
  rate: v.optional(v.object({ window: v.number(), count: v.number(), before: v.number() })),
  /** In the item of a recount: all that the day had, when the most of its logs existed. */
  all: v.optional(v.object({ counts: v.record(v.string(), v.number()), costMicros: v.number() })),
});

export type StoredCounter = v.InferOutput<typeof StoredCounter>;

/** The rate is measured over windows of ten seconds. */
export const WINDOW_MS = 10_000;

/** Below that in a window of one counter, no account has grown. */
const NOTABLE_COUNT = 100;

export const windowOf = (ms: number) => Math.floor(ms / WINDOW_MS);

export const microsOf = (usd: number) => Math.round(usd * 1e6);

export const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** An expression has at most 4 KB. */
const AMOUNTS_MAX = 50;

/** The sums that records add to the counters of a day, by name: messages by channel, and other amounts. */
function amountsOf(sends: readonly CountedSend[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { channel, count, amounts = {} } of sends) {
    const own = channel ? { [channel]: count } : {};
    for (const [name, amount] of Object.entries({ ...own, ...amounts }))
      sums[name] = (sums[name] ?? 0) + amount;
  }
  return sums;
}

type Addition = { key: Key; streamShard: string; sends: readonly CountedSend[]; nowMs: number };

/** True if the records could be added without reading the counter, which saves a read unit and a call. */
async function addUnread(table: Database, { key, streamShard, sends, nowMs }: Addition): Promise<boolean> {
  // The rate of accepted notifications depends on the stored one.
  if (sends.some(({ accepted }) => accepted)) return false;
  if (Object.keys(amountsOf(sends)).length > AMOUNTS_MAX) return false;
  return (await table.update(key, ...additionOf(streamShard, sends, nowMs))).written;
}

export async function addRecords(table: Database, addition: Addition): Promise<boolean> {
  if (await addUnread(table, addition)) return false;
  const { key, streamShard, sends, nowMs } = addition;
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

/**
 * The update that adds the records to an existing counter, if none of them was counted before and no window with many
 * notifications has ended.
 */
function additionOf(streamShard: string, sends: readonly CountedSend[], nowMs: number) {
  const positions = sends.map((send) => padded(send.sequenceNumber)).sort();
  const counts = Object.entries(amountsOf(sends)).map(([name, count], index) => ({ name, index, count }));
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
    ...Object.fromEntries(counts.map(({ name, index }) => [`#c${index}`, name])),
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
  for (const [name, amount] of Object.entries(amountsOf(fresh))) counts[name] = (counts[name] ?? 0) + amount;
  const last =
    fresh
      .map((send) => padded(send.sequenceNumber))
      .sort()
      .at(-1) ?? '';
  // All positions stay, because a redelivered batch of a shard without a position would be counted again. A day has few stream
  // shards.
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
