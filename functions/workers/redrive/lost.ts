import { accounts } from '../../../shared/database/entities/accounts.ts';
import { bucketPk, digests } from '../../../shared/database/entities/digests.ts';
import { type Log, logs } from '../../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../../shared/database/entities/notification-types.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { logPk } from '../../../shared/database/keys.ts';
import { dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { readyMessage } from '../delivery/ready-message.ts';
import { isUncarried, isWaiting } from '../delivery/waiting.ts';
import { findNextBucket, findZone } from '../digest/next-bucket.ts';

/** How long after its due moment a scheduled notification or a digest counts as forgotten. */
const OVERDUE_MS = 120_000;

/** A message that takes a notification on its way again. */
export type LostMessage = { trackingId: string; queue: string; message: QueueMessage };

/**
 * What a notification waits for without anything under way that is certain to bring it: channels without outcome, of its
 * own and of the digests that carry it, channels that no digest collected, a moment that has passed. A message that
 * is still on its queue may be among them: its twin comes after it, in the same group, and finds the outcome.
 */
export async function lostMessagesOf(trackingId: string, nowMs: number): Promise<LostMessage[]> {
  const log = await resolve(logs).find(trackingId, nowMs);
  if (!log) return [];
  const { head } = log;
  if (head.state === 'scheduled') {
    return overdue({ trackingId, pk: logPk(trackingId), dueAtMs: head.scheduledForMs }, nowMs);
  }
  const carriers = log.events.flatMap(({ carrier }) => (carrier ? [carrier.trackingId] : []));
  const carried = await Promise.all(carriers.map((id) => resolve(logs).find(id, nowMs)));
  const unsent = [log, ...carried.filter((each) => each !== undefined)].flatMap(unsentOf);
  const uncarried = await Promise.all(
    CHANNELS.filter((channel) => isUncarried(log, channel)).map((channel) =>
      uncarriedOf(log, channel, nowMs),
    ),
  );
  return [...unsent, ...uncarried.flat()];
}

type Waiting = { trackingId: string; pk: string; dueAtMs: number | undefined };

function overdue({ trackingId, pk, dueAtMs }: Waiting, nowMs: number): LostMessage[] {
  if (dueAtMs === undefined || dueAtMs + OVERDUE_MS > nowMs) return [];
  return [{ trackingId, queue: DUE_QUEUE, message: dueMessage(pk, dueAtMs, nowMs) }];
}

function unsentOf(log: Log): LostMessage[] {
  const { trackingId } = log.head;
  return CHANNELS.filter((channel) => isWaiting(log, channel)).map((channel) => ({
    trackingId,
    ...readyMessage({ trackingId, channel, routing: 'SEND' }),
  }));
}

/** One that is in the bucket it was accepted for waits for its flush, unless that was missed. */
async function uncarriedOf({ head }: Log, channel: Channel, nowMs: number): Promise<LostMessage[]> {
  const afterMs = head.processedAtMs ?? head.receivedAtMs;
  const deps = {
    accounts: resolve(accounts),
    notificationTypes: resolve(notificationTypes),
    users: resolve(users),
  };
  const bucket = await findNextBucket(deps, head, channel, { zone: await findZone(deps, head), afterMs });
  const { trackingId } = head;
  if (!(await resolve(digests).isCollected(bucketPk(bucket), trackingId))) {
    return [{ trackingId, ...readyMessage({ trackingId, channel, routing: 'BATCH' }) }];
  }
  return overdue({ trackingId, pk: bucketPk(bucket), dueAtMs: bucket.flushAtMs }, nowMs);
}
