import type { StoredLogHead } from '../../shared/database/entities/logs/log-head.ts';
import type { Log } from '../../shared/database/entities/logs/log-reads.ts';
import { type Logs, logs } from '../../shared/database/entities/logs/logs.ts';
import {
  type DeliveryRetries,
  deliveryRetries,
  type WaitingDelivery,
} from '../../shared/database/entities/sending/delivery-retries.ts';
import { type Bucket, flushDueAtMs } from '../../shared/database/entities/sending/digest-bucket.ts';
import { type Digests, digests } from '../../shared/database/entities/sending/digests.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { DIGEST_PREFIX, RETRY_PREFIX } from '../../shared/database/keys/log.ts';
import {
  isPausedHold,
  nextDueAtMs,
  plannedDueAtMs,
  progressOf,
  waitingChannels,
} from '../../shared/domain/routing/steps.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import type { StepCondition } from '../../shared/schemas/delivery/steps.ts';
import { SETTLED_STAGES } from '../../shared/schemas/logs/stage.ts';
import type { WaitingListReason } from '../../shared/schemas/sending/waiting.ts';

export const entryDependencies = { deliveryRetries, digests, logs };
type Deps = { deliveryRetries: DeliveryRetries; digests: Digests; logs: Logs };

type WaitingChannel = {
  channel: Channel;
  reason: WaitingListReason;
  untilMs: number;
  when?: StepCondition | undefined;
};

/** Something that waits: a notification, a digest, or one delivery. */
export type Entry = {
  pk: string;
  accountId: string;
  environmentId: string;
  userId: string;
  topicId?: string | undefined;
  type: string;
  trackingIds: string[];
  /** When the first of its channels is due. */
  untilMs: number;
  /** What waits of it, earliest first. */
  channels: WaitingChannel[];
} & (
  | { kind: 'scheduled' }
  | { kind: 'steps'; log: Log }
  | { kind: 'digest'; bucket: Bucket }
  | { kind: 'delivery'; waiting: WaitingDelivery; head: StoredLogHead }
);

export const waitingIdOf = (pk: string) => Buffer.from(pk).toString('base64url');

export const pkOf = (waitingId: string) => Buffer.from(waitingId, 'base64url').toString('utf8');

/** Reads what waits in a partition of waiting work; undefined if nothing does any more. */
export async function readEntry(deps: Deps, pk: string, nowMs: number): Promise<Entry | undefined> {
  if (pk.startsWith(LOG_PK_PREFIX)) {
    const log = await deps.logs.find(trackingIdOfPk(pk), nowMs, { isHidden: true });
    return log && (scheduledEntry(pk, log) ?? stepsEntry(pk, log));
  }
  if (pk.startsWith(DIGEST_PREFIX)) return digestEntry(deps, pk);
  if (pk.startsWith(RETRY_PREFIX)) return deliveryEntry(deps, pk, nowMs);
  return undefined;
}

function baseOf(pk: string, { trackingId, notificationId: type, ...head }: StoredLogHead) {
  const { accountId, environmentId, userId, topicId } = head;
  return { pk, accountId, environmentId, userId, topicId, type, trackingIds: [trackingId] };
}

function scheduledEntry(pk: string, { head }: Log): Entry | undefined {
  const { state, scheduledForMs: untilMs, routing } = head;
  if (state !== 'scheduled' || untilMs === undefined) return undefined;
  const going = CHANNELS.filter((channel) => routing[channel]?.routing === 'SCHEDULE');
  const channels = going.map((channel) => ({ channel, reason: 'SCHEDULE' as const, untilMs }));
  return { ...baseOf(pk, head), kind: 'scheduled', untilMs, channels };
}

/** A notification with later steps or channels that were held when they were decided. What a digest has is listed with it. */
function stepsEntry(pk: string, log: Log): Entry | undefined {
  const { head, events } = log;
  const progress = progressOf(head, events);
  const untilMs = progress && nextDueAtMs(head, progress);
  if (!progress || untilMs === undefined || head.userId === '') return undefined;
  const hasOutcome = (channel: Channel) =>
    events.some(
      ({ channel: of, stage }) => of === channel && (stage === 'collected' || SETTLED_STAGES.has(stage)),
    );
  const later = (head.steps ?? []).slice(progress.step);
  const channels = waitingChannels(head, progress).flatMap((channel): WaitingChannel[] => {
    if (hasOutcome(channel)) return [];
    const heldUntilMs = progress.held[channel];
    if (heldUntilMs !== undefined) {
      const reason = isPausedHold(head, progress, channel) ? 'PAUSED' : 'QUIET_HOURS';
      return [{ channel, reason, untilMs: heldUntilMs }];
    }
    const dueAtMs = plannedDueAtMs(later, channel, progress.stepAtMs);
    const when = later.find((step) => step.channels.includes(channel))?.when;
    return dueAtMs === undefined ? [] : [{ channel, reason: 'STEP', untilMs: dueAtMs, when }];
  });
  if (channels.length === 0) return undefined;
  channels.sort((left, right) => left.untilMs - right.untilMs);
  return { ...baseOf(pk, head), kind: 'steps', log, untilMs, channels };
}

async function digestEntry({ digests }: Deps, pk: string): Promise<Entry | undefined> {
  const bucket = await digests.findBucket(pk);
  if (bucket?.state !== 'open') return undefined;
  const trackingIds = (await digests.listItems(pk)).map(({ trackingId }) => trackingId);
  if (trackingIds.length === 0) return undefined;
  const { accountId, environmentId, userId, notificationId: type, channel } = bucket;
  const untilMs = flushDueAtMs(bucket);
  const held = bucket.isPaused ? 'PAUSED' : 'QUIET_HOURS';
  const reason = bucket.isMoved || untilMs === bucket.flushAtMs ? 'BATCH' : held;
  const channels: WaitingChannel[] = [{ channel, reason, untilMs }];
  return {
    pk,
    accountId,
    environmentId,
    userId,
    type,
    trackingIds,
    untilMs,
    channels,
    kind: 'digest',
    bucket,
  };
}

/** A message that waits for its next attempt, or that quiet hours or a pause held when it was about to be sent. */
async function deliveryEntry(
  { deliveryRetries, logs }: Deps,
  pk: string,
  nowMs: number,
): Promise<Entry | undefined> {
  const waiting = await deliveryRetries.find(pk);
  const head = waiting && (await logs.findHead(waiting.delivery.trackingId, nowMs));
  if (!head || head.userId === '') return undefined;
  const { delivery, dueAtMs: untilMs, hold = 'RETRY' } = waiting;
  const channels: WaitingChannel[] = [{ channel: delivery.channel, reason: hold, untilMs }];
  return { ...baseOf(pk, head), kind: 'delivery', waiting, head, untilMs, channels };
}
