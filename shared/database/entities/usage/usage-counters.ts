import { heldName, PHONE_CHANNELS, settledName } from '../../../domain/costs/phone-costs.ts';
import { type BillingPeriod, monthsOfRange } from '../../../domain/costs/usage-months.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { CHANNELS, type Channel } from '../../../schemas/channel.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { usageDayPrefix, usageKey, usagePk, usageRecountKey } from '../../keys/usage.ts';
import {
  addRecords,
  type CountedSend,
  microsOf,
  StoredCounter,
  sum,
  WINDOW_MS,
  windowOf,
} from './usage-additions.ts';

/** Usage of a month or billing period. `costUsd` is the cost of SMS and CALL. */
export type Usage = { counts: Record<Channel, number>; costUsd: number };

/**
 * As `Usage`. `heldUsd` is what recently sent messages are expected to cost whose costs are not reported yet, `settledUsd`
 * what all messages of the period were expected to cost. `amounts` are sums of all counters that were read for it, by name.
 */
export type Spending = Usage & {
  heldUsd: number;
  settledUsd: number;
  amounts: Readonly<Record<string, number>>;
};

type Counted = NonNullable<StoredCounter['all']>;

/** Messages by channel, in total and by day. */
type UsageDays = Pick<Usage, 'counts'> & { days: ({ date: string } & Pick<Usage, 'counts'>)[] };

/** The sums of a day's counters, by name; `costMicros` is what carriers reported. */
export type CountedDay = { date: string; counts: Readonly<Record<string, number>>; costMicros: number };

/** Counters of an account's day are spread over this many items. */
const USAGE_SHARDS = 16;

/** Exact usage counters: every stream record counts once, even if its batch is retried. */
export type UsageCounters = ReturnType<typeof createUsageCounters>;

function createUsageCounters(table: Database) {
  return bound(table, {
    count,
    acceptedPerSecond,
    recount,
    daysOfMonth,
    ofMonth,
    ofPeriod,
    amountsOfMonth,
    daysSince,
    spendingOf,
  });
}

/** Usage of a calendar month `YYYY-MM` (UTC). */
async function ofMonth(table: Database, accountId: string, yearMonth: string): Promise<Usage> {
  return sumOf(await readItems(table, accountId, yearMonth));
}

/** Usage from `startDate` until before `endDate` (YYYY-MM-DD, UTC), at most a month apart. */
async function ofPeriod(table: Database, accountId: string, period: BillingPeriod): Promise<Usage> {
  return sumOf((await readDays(table, accountId, period)).filter(isInPeriod(period)));
}

/** Sums of the counters of a calendar month `YYYY-MM` (UTC), by name. */
async function amountsOfMonth(table: Database, accountId: string, yearMonth: string) {
  return amountsOf(await readItems(table, accountId, yearMonth));
}

async function readItems(table: Database, accountId: string, yearMonth: string, day?: string) {
  const items = await table.queryAll(usagePk(accountId, yearMonth), usageDayPrefix(day), {
    consistent: true,
  });
  return items.map((item) => ({
    ...readStored('usage counter', StoredCounter, item),
    day: String(item.sk).slice(4, 6),
  }));
}

/**
 * Counts records of one stream shard, in order. Counting them again adds nothing. Returns the accounts whose window with many
 * notifications has ended.
 */
async function count(
  table: Database,
  streamShard: string,
  sends: readonly CountedSend[],
  nowMs: number,
): Promise<string[]> {
  const groups = Map.groupBy(sends, (send) => `${send.accountId}\n${dayOf(send.atMs)}`);
  const notable = await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group;
      if (!first) return [];
      const key = usageKey(first.accountId, dayOf(first.atMs), shardOf(streamShard, USAGE_SHARDS));
      return (await addRecords(table, { key, streamShard, sends: group, nowMs })) ? [first.accountId] : [];
    }),
  );
  return [...new Set(notable.flat())];
}

/** Notifications accepted per second in the last complete window. */
async function acceptedPerSecond(table: Database, accountId: string, nowMs: number): Promise<number> {
  const [month, day] = [dayOf(nowMs).slice(0, 7), dayOf(nowMs).slice(8)];
  const items = await table.queryAll(usagePk(accountId, month), usageDayPrefix(day));
  const last = windowOf(nowMs) - 1;
  const counts = items.map((item) => {
    const { rate } = readStored('usage counter', StoredCounter, item);
    return rate?.window === last ? rate.count : rate?.window === last + 1 ? rate.before : 0;
  });
  return sum(counts) / (WINDOW_MS / 1000);
}

/**
 * Adds to a day what was sent and never counted, because its stream records expired; returns that. `found` is all that
 * the account sent on the day. Repeating it changes nothing.
 */
async function recount(
  table: Database,
  accountId: string,
  date: string,
  found: Usage,
  { isDryRun }: { isDryRun: boolean },
): Promise<Usage> {
  const key = usageRecountKey(accountId, date);
  return untilSettled(async () => {
    const items = await table.queryAll(key.pk, usageDayPrefix(date.slice(8)), { consistent: true });
    const stored = items.map((item) => ({
      sk: item.sk,
      ...readStored('usage counter', StoredCounter, item),
    }));
    const known = sumOf(stored.filter(({ sk }) => sk !== key.sk));
    const before = stored.find(({ sk }) => sk === key.sk);
    const all = largest(found, before && (before.all ?? withMicros(sumOf(stored))));
    const counts = mapChannels((channel) => Math.max(0, (all.counts[channel] ?? 0) - known.counts[channel]));
    const costMicros = Math.max(0, all.costMicros - microsOf(known.costUsd));
    const missing = { counts, costUsd: costMicros / 1e6 };
    const isChanged = before !== undefined || costMicros > 0 || sum(Object.values(counts)) > 0;
    if (!isChanged || isDryRun) return missing;
    // Another recount of the day may have found more in the meantime.
    const revision = before?.revision ?? 0;
    const { condition, values } = atRevision(revision);
    const { written } = await table.put(
      { ...key, counts, costMicros, all, revision: revision + 1 },
      { condition: `attribute_not_exists(revision) OR ${condition}`, values },
    );
    return written ? missing : AGAIN;
  });
}

/** All that the day had: logs may have expired since an earlier recount, which stored what it found, or what it added. */
function largest(found: Usage, { counts, costMicros }: Counted = { counts: {}, costMicros: 0 }): Counted {
  return {
    counts: mapChannels((channel) => Math.max(found.counts[channel], counts[channel] ?? 0)),
    costMicros: Math.max(microsOf(found.costUsd), costMicros),
  };
}

const withMicros = ({ counts, costUsd }: Usage): Counted => ({ counts, costMicros: microsOf(costUsd) });

/** Messages of a calendar month `YYYY-MM` (UTC), in total and of each day with any (YYYY-MM-DD, ascending). */
async function daysOfMonth(table: Database, accountId: string, yearMonth: string): Promise<UsageDays> {
  const items = await readItems(table, accountId, yearMonth);
  const days = [...Map.groupBy(items, ({ day }) => day)].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    counts: sumOf(items).counts,
    days: days.map(([day, ofDay]) => ({ date: `${yearMonth}-${day}`, counts: sumOf(ofDay).counts })),
  };
}

type Day = StoredCounter & { date: string };

/** The counters of each day with any, from a day at most a month ago (YYYY-MM-DD, UTC) until `nowMs`. */
async function daysSince(
  table: Database,
  accountId: string,
  startDate: string,
  nowMs: number,
): Promise<CountedDay[]> {
  const today = dayOf(nowMs);
  const isToday = startDate === today;
  const months = [...new Set([startDate, today].map((date) => date.slice(0, 7)))];
  const items = await Promise.all(
    months.map(async (month) =>
      (await readItems(table, accountId, month, isToday ? today.slice(8) : undefined)).map((item) => ({
        ...{ ...item, date: `${month}-${item.day}` },
      })),
    ),
  );
  const inRange = items.flat().filter(({ date }) => date >= startDate && date <= today);
  return [...Map.groupBy(inRange, ({ date }) => date)].map(([date, days]) => ({
    ...{ date, counts: amountsOf(days), costMicros: sum(days.map(({ costMicros }) => costMicros)) },
  }));
}

async function readDays(
  table: Database,
  accountId: string,
  { startDate, endDate }: BillingPeriod,
): Promise<Day[]> {
  const range = monthsOfRange(startDate, endDate);
  const months = range.ok ? range.months : [];
  const items = await Promise.all(
    months.map(async (month) =>
      (await readItems(table, accountId, month)).map((item) => ({ ...item, date: `${month}-${item.day}` })),
    ),
  );
  return items.flat();
}

const isInPeriod =
  ({ startDate, endDate }: BillingPeriod) =>
  ({ date }: Day) =>
    date >= startDate && date < endDate;

/** A cost that is not reported within 72 hours, AWS's longest, is not expected any more. */
const EXPECTED_MS = 72 * 3_600_000;

/** As `ofPeriod`, with what messages are expected to cost. */
async function spendingOf(
  table: Database,
  accountId: string,
  period: BillingPeriod,
  nowMs: number,
): Promise<Spending> {
  const heldSince = dayOf(nowMs - EXPECTED_MS);
  const startDate = heldSince < period.startDate ? heldSince : period.startDate;
  const days = await readDays(table, accountId, { ...period, startDate });
  const recent = amountsOf(days.filter(({ date }) => date >= heldSince));
  const held = sum(PHONE_CHANNELS.map((channel) => recent[heldName(channel)] ?? 0));
  const ofPeriod = days.filter(isInPeriod(period));
  const sent = amountsOf(ofPeriod);
  return {
    ...sumOf(ofPeriod),
    heldUsd: Math.max(0, held) / 1e6,
    settledUsd: sum(PHONE_CHANNELS.map((channel) => sent[settledName(channel)] ?? 0)) / 1e6,
    amounts: amountsOf(days),
  };
}

function amountsOf(days: readonly StoredCounter[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { counts } of days)
    for (const [name, amount] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}

function mapChannels(count: (channel: Channel) => number): Record<Channel, number> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, count(channel)])) as Record<Channel, number>;
}

/** Sums counters over their shards and days. */
function sumOf(counters: readonly StoredCounter[]): Usage {
  const counts = mapChannels((channel) => sum(counters.map((each) => each.counts[channel] ?? 0)));
  return { counts, costUsd: sum(counters.map((each) => each.costMicros)) / 1e6 };
}

/** The day of a time, `YYYY-MM-DD` in UTC. */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const usageCounters = dependency('usageCounters', () => createUsageCounters(resolve(database)));
