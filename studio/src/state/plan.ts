import type { LogRecord } from '../../../client/src/generated/types.ts';
import { momentText } from './outcome.ts';
import { api } from './service.ts';

const CONDITIONS = {
  unseen: ', if no earlier step was seen',
  undelivered: ', if no earlier step was delivered',
  always: '',
} as const;

/** Returns for each waiting channel of a notification when a digest sends it, or on what its step depends. */
export async function planOf({ trackingId, user_id: userId }: LogRecord): Promise<Record<string, string>> {
  if (!userId) return {};
  const { digests, steps } = await api.users.listWaiting(userId);
  const collected = digests
    .filter(({ trackingIds }) => trackingIds.includes(trackingId))
    .map(({ channel, sendAt }) => [channel, `collected for a digest, which is sent ${momentText(sendAt)}`]);
  const later = steps
    .filter((step) => step.trackingId === trackingId)
    .map(({ channel, when, dueAt }) => [channel, `waits until ${momentText(dueAt)}${CONDITIONS[when]}`]);
  return Object.fromEntries([...collected, ...later]);
}
