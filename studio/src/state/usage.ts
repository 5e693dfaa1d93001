import type { LogRecord } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelId } from '../parts/channel.tsx';
import { serviceNowMs } from './live.ts';
import { outcomesOf } from './outcome.ts';
import { api } from './service.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;
/** Failed notifications that are looked at, the newest first. */
const FAILED_MAX = 200;
const PAGE = 50;
const LOOKUP_MAX = 25;

type Counts = Record<ChannelId, number>;
type UsageDay = { date: string; sent: Counts; failed: Counts };
export type Usage = {
  days: UsageDay[];
  month: Counts;
  /** Most messages of a channel per billing period, where it has a cap; `all`: on all channels together. */
  caps: Partial<Counts> & { all: number };
  costUsd: number;
  costCap: number;
  allowOverage: boolean;
};

const zeros = () => Object.fromEntries(CHANNELS.map(({ id }) => [id, 0])) as Counts;

/** Messages and failures of the last days by channel, and the caps. */
export async function loadUsage(): Promise<Usage> {
  const dates = Array.from({ length: DAYS }, (_, index) =>
    dateOf(serviceNowMs() - (DAYS - 1 - index) * DAY_MS),
  );
  const [{ items }, usage, failures] = await Promise.all([
    api.organization.getUsageHistory({ startDate: dates[0] ?? '', endDate: dates.at(-1) ?? '' }),
    api.organization.getUsage(),
    failedSince(`${dates[0]}T00:00:00.000Z`),
  ]);
  const byDate = new Map(items.flatMap(({ days }) => days).map(({ date, counts }) => [date, counts]));
  const { messagesCap, smsCap, callCap, costCap, allowOverage } = usage.caps;
  return {
    days: dates.map((date) => ({
      date,
      sent: byDate.get(date) ?? zeros(),
      failed: failures.get(date) ?? zeros(),
    })),
    month: items.at(-1)?.counts ?? zeros(),
    caps: {
      all: messagesCap,
      ...(smsCap === undefined ? {} : { SMS: smsCap }),
      ...(callCap === undefined ? {} : { CALL: callCap }),
    },
    costUsd: usage.billingPeriod.costUsd,
    costCap,
    allowOverage,
  };
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Failed messages by day and channel, of the newest failed notifications. */
async function failedSince(from: string): Promise<Map<string, Counts>> {
  const days = new Map<string, Counts>();
  for (const record of await failedRecords(from)) {
    const date = (record.received_at ?? '').slice(0, 10);
    const counts = days.get(date) ?? zeros();
    for (const { channel, state } of outcomesOf(record)) if (state === 'failed') counts[channel.id] += 1;
    days.set(date, counts);
  }
  return days;
}

async function failedRecords(from: string): Promise<LogRecord[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.logs.list({ status: 'failed', from, limit: PAGE, ...(cursor ? { cursor } : {}) });
    ids.push(...page.messages.map(({ trackingId }) => trackingId));
    cursor = page.nextCursor;
  } while (cursor && ids.length < FAILED_MAX);
  const chunks = Array.from({ length: Math.ceil(ids.length / LOOKUP_MAX) }, (_, index) =>
    ids.slice(index * LOOKUP_MAX, (index + 1) * LOOKUP_MAX),
  );
  const found = await Promise.all(chunks.map((trackingIds) => api.logs.getBulk({ trackingIds })));
  return found.flatMap(({ logs }) => logs);
}
