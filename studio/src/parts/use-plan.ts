import type { LogRecord } from '../../../client/src/generated/types.ts';
import { momentText, outcomesOf } from '../state/outcome.ts';
import { api } from '../state/service.ts';
import { useLoaded } from './basics.tsx';

/** What waits of a notification, by channel: in words, and when a digest sends it, which the log does not have. */
export type Plan = Readonly<Record<string, { text: string; digestAtMs?: number }>>;

const CONDITIONS = {
  unseen: ', if no earlier step was seen',
  undelivered: ', if no earlier step was delivered',
  always: '',
} as const;

/** Returns when a digest sends what waits, and on what a later step depends. */
export function usePlan(record: LogRecord | undefined): Plan {
  const isWaiting = (each: LogRecord) => outcomesOf(each).some(({ state }) => state === 'waiting');
  const load = async () => (record && isWaiting(record) ? await planOf(record) : {});
  // The record changes when a digest has collected it, and its channels wait as before.
  return useLoaded(load, [record]).value ?? {};
}

async function planOf({ trackingId, user_id: userId }: LogRecord): Promise<Plan> {
  if (!userId) return {};
  const { digests, steps } = await api.users.listWaiting(userId);
  const collected = digests
    .filter(({ trackingIds }) => trackingIds.includes(trackingId))
    .map(({ channel, sendAt }) => {
      const text = `collected for a digest, which is sent ${momentText(sendAt)}`;
      return [channel, { text, digestAtMs: Date.parse(sendAt) }];
    });
  const later = steps
    .filter((step) => step.trackingId === trackingId)
    .map(({ channel, when, dueAt }) => [
      channel,
      { text: `waits until ${momentText(dueAt)}${CONDITIONS[when]}` },
    ]);
  return Object.fromEntries([...collected, ...later]);
}
