import type { LogRecord } from '../../../client/src/generated/types.ts';
import { chunksOf, inChunks } from '../../../shared/runtime/async/chunks.ts';
import { CHANNELS, type ChannelId } from '../parts/channel.tsx';
import { outcomesOf } from './outcome.ts';
import { api, serviceNowMs } from './service.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;
const FAILED_MAX = 200;
/** Notifications whose deliveries are counted, the newest first. */
export const RECENT_MAX = 2000;

type Counts = Record<ChannelId, number>;
export type Usage = {
  days: { date: string; sent: Counts; failed: Counts }[];
  month: Counts;
  /** Most messages of a channel per billing period, where it has a cap; `all`: on all channels together. */
  caps: Partial<Counts> & { all: number };
  costUsd: number;
  costCap: number;
  allowOverage: boolean;
};

const zeros = () => Object.fromEntries(CHANNELS.map(({ id }) => [id, 0])) as Counts;

const shownDates = () =>
  Array.from({ length: DAYS }, (_, index) => dateOf(serviceNowMs() - (DAYS - 1 - index) * DAY_MS));

/** Messages and failures of the last days by channel, and the caps. */
export async function loadUsage(): Promise<Usage> {
  const dates = shownDates();
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
  const { records } = await newestLogs({ status: 'failed', from }, FAILED_MAX);
  return countByDay(
    records.flatMap((record) =>
      outcomesOf(record)
        .filter(({ state }) => state === 'failed')
        .map(({ channel }) => ({ date: dayOf(record.received_at), channel: channel.id })),
    ),
  );
}

/**
 * Loads the delivered messages of each shown day by channel, by their sending day, for the days that the newest notifications
 * cover. A counter of deliveries would cost a write each, so they are counted from the logs.
 */
export async function loadDelivered(): Promise<ReadonlyMap<string, Counts>> {
  const dates = shownDates();
  const { records, isComplete } = await newestLogs({ from: `${dates[0]}T00:00:00.000Z` }, RECENT_MAX);
  const messages = new Map<string, { date: string; channel: ChannelId }>();
  for (const record of records)
    for (const { channel, state } of outcomesOf(record)) {
      if (state !== 'delivered' && state !== 'opened') continue;
      const fields = record as Record<string, unknown>;
      const sentAt = String(fields[`${channel.prefix}_sent_at`] ?? record.received_at ?? '');
      // The items of a digest left in one message.
      const isItem = fields[`${channel.prefix}_routing`] === 'BATCH';
      const message = isItem ? `${record.user_id} ${record.type} ${sentAt}` : record.trackingId;
      messages.set(`${channel.id} ${message}`, { date: dayOf(sentAt), channel: channel.id });
    }
  const days = countByDay([...messages.values()]);
  const knownFrom = isComplete ? '' : nextDay(dayOf(records.at(-1)?.received_at));
  return new Map(dates.filter((date) => date >= knownFrom).map((date) => [date, days.get(date) ?? zeros()]));
}

function countByDay(messages: readonly { date: string; channel: ChannelId }[]): Map<string, Counts> {
  const days = new Map<string, Counts>();
  for (const { date, channel } of messages) {
    const counts = days.get(date) ?? zeros();
    counts[channel] += 1;
    days.set(date, counts);
  }
  return days;
}

const dayOf = (time: string | undefined) => (time ?? '').slice(0, 10);
const nextDay = (date: string) => dateOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS);

const PAGE = 100;
const LOOKUP_MAX = 25;
const PARALLEL = 8;

/** The newest logs that match, at most about `max`; `isComplete` if there are no more. */
async function newestLogs(
  query: { status?: 'failed'; from?: string; eventType?: 'outbound' },
  max: number,
): Promise<{ records: LogRecord[]; isComplete: boolean }> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.logs.list({ ...query, limit: PAGE, ...(cursor ? { cursor } : {}) });
    ids.push(...page.messages.map(({ trackingId }) => trackingId));
    cursor = page.nextCursor;
  } while (cursor && ids.length < max);
  const found = await inChunks(chunksOf(ids, LOOKUP_MAX), PARALLEL, (trackingIds) =>
    api.logs.getBulk({ trackingIds }),
  );
  return { records: found.flatMap(({ logs }) => logs), isComplete: cursor === undefined };
}
