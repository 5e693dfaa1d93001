import * as v from 'valibot';
import { retentions } from '../../../shared/database/entities/accounts/retentions.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { inappSnoozes } from '../../../shared/database/entities/inapp/inapp-snoozes.ts';
import { logLimits } from '../../../shared/database/entities/logs/log-limits.ts';
import {
  deliveryRetries,
  type WaitingDelivery,
} from '../../../shared/database/entities/sending/delivery-retries.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { rechecks } from '../../../shared/database/entities/sending/rechecks.ts';
import { turnClocks } from '../../../shared/database/entities/sending/turn-clocks.ts';
import { webhookCalls } from '../../../shared/database/entities/webhooks/webhook-calls.ts';
import { ENVIRONMENT_REMOVAL_PREFIX } from '../../../shared/database/keys/account.ts';
import { WEBHOOK_CALL_PREFIX } from '../../../shared/database/keys/environment.ts';
import { LOG_PK_PREFIX, trackingIdOfPk, USER_PK_PREFIX } from '../../../shared/database/keys/key.ts';
import { DIGEST_PREFIX, RETRY_PREFIX } from '../../../shared/database/keys/log.ts';
import { ERASURE_PASS_PREFIX, ERASURE_PREFIX, EXPORT_PREFIX } from '../../../shared/database/keys/user.ts';
import { type QueueOutcome, queueBatchWorker } from '../../../shared/http/workers/queue-worker.ts';
import { sendOrThrow } from '../../../shared/messaging/message-body.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { realtimePublisher } from '../../../shared/providers/clients/realtime.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { ConfigError, findSetting } from '../../../shared/runtime/config.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import { continueRemoval, removalDependencies } from '../../environments/remove-environment.ts';
import { eraseTraces, eraseUser } from '../../users/erasure/erase-user.ts';
import { erasurePassStep } from '../../users/erasure/erasure-pass.ts';
import { erasureStep } from '../../users/erasure/erasure-steps.ts';
import { erasureDependencies } from '../../users/erasure/start-erasure.ts';
import { EXPORT_PAGES, exportDependencies, exportStep } from '../../users/export/export-steps.ts';
import { againMessage, postponedMessage } from '../delivery/waiting/postpone.ts';
import { PostponedDelivery } from '../delivery/waiting/postponed.ts';
import { shares } from '../delivery/waiting/shares.ts';
import { type FlushDependencies, flushBucket } from '../digest/flush-digest.ts';
import { callMessage } from '../webhooks/raised-calls.ts';
import { type AdvanceDependencies, advanceNotification } from './advance-notification.ts';
import { readyDependencies, readyNotifications } from './ready-notifications.ts';

/** Runs the next step of the erasure that a due item names; a finished erasure has none. */
async function continueErasure(deps: Deps, pk: string, nowMs: number): Promise<void> {
  const job = await deps.erasureJobs.findByPk(pk);
  if (!job) return;
  if (job.isOwnRemoved) await eraseTraces(deps, job, nowMs);
  else await eraseUser(deps, job, nowMs);
  await erasureStep(deps, { ...job, isOwnRemoved: true }, nowMs);
}

/** Runs the next step of an export; one that is ready or expired has none. */
async function continueExport(deps: Deps, pk: string, nowMs: number): Promise<void> {
  const job = await deps.userExports.findByPk(pk, nowMs);
  if (job && job.readyAtMs === undefined) await exportStep(deps, job, nowMs, EXPORT_PAGES);
}

const Item = v.object({
  pk: v.string(),
  dueAtMs: v.number(),
  isRequested: v.optional(v.boolean(), false),
});
type Item = v.InferOutput<typeof Item>;
const Again = v.object({
  again: PostponedDelivery,
  dueAtMs: v.number(),
  /** Of a delivery that waits for the turn of its account. */
  accountId: v.optional(v.string()),
  isUrgent: v.optional(v.boolean(), false),
});
type Again = v.InferOutput<typeof Again>;
const Body = v.union([Item, Again]);

const DEPENDENCIES = {
  ...erasureDependencies,
  ...exportDependencies,
  ...readyDependencies,
  ...removalDependencies,
  deliveryRetries,
  digests,
  dueItems,
  inappSnoozes,
  logLimits,
  notificationTypes,
  queues,
  realtimePublisher,
  rechecks,
  retentions,
  shares,
  turnClocks,
  erasureMarks,
  webhookCalls,
};
type Deps = Resolved<typeof DEPENDENCIES> & { clock: Clock };

/**
 * Makes due work ready: scheduled notifications, digest buckets, webhook calls, postponed deliveries and
 * snoozed in-app items, and what waits for users whose settings changed. A duplicate finds nothing left to do. A failed message is redelivered alone; one that
 * arrives early, because a clock is ahead, waits. Work that was due before the table was restored from a
 * backup stays unchanged, unless an operator requested it.
 */
export const handler = queueBatchWorker(
  { name: DUE_QUEUE, body: Body, failed: 'a due item was not made ready' },
  DEPENDENCIES,
  ({ messages, timeLeftMs: _, ...deps }) => {
    const nowMs = deps.clock.now();
    const due = messages.filter(({ body }) => body.dueAtMs <= nowMs);
    for (const { body } of due) recordMetrics({ DueLag: nowMs - body.dueAtMs });
    const items = due.flatMap(({ body }) => ('pk' in body ? [body] : []));
    const scheduled = items.filter((item) => isScheduled(item) && !isHeldBack(item));
    const made = readyNotifications(
      deps,
      scheduled.map((item) => ({
        trackingId: trackingIdOfPk(item.pk),
        heldBackUntilMs: heldBackUntilMs(item),
      })),
      nowMs,
    );
    return messages.map(async ({ body }): Promise<QueueOutcome> => {
      const waitMs = body.dueAtMs - nowMs;
      if (waitMs > PASSED_ON_MS && 'again' in body) return passOn(deps, body, nowMs);
      if (waitMs > 0) return { againSeconds: waitMs / 1000 };
      if ('again' in body ? isHeldBackAgain(body.again) : isHeldBack(body)) {
        log.info('a due item of before the restore was held back', { worker: DUE_QUEUE });
      } else if ('again' in body) return takeTurn(deps, body, nowMs);
      else if (!isScheduled(body)) {
        // A notification that is due at the same moment may belong to the digest.
        await made.catch(() => undefined);
        await makeOtherReady(deps, body.pk, nowMs);
      } else {
        const outcome = (await made)[scheduled.indexOf(body)];
        if (outcome?.status === 'rejected') throw outcome.reason;
      }
      return 'done';
    });
  },
);

const isScheduled = ({ pk }: Item) => pk.startsWith(LOG_PK_PREFIX);

/**
 * Receivers recognize duplicate webhook calls by their ID, and an erasure must continue: neither is held
 * back.
 */
function isHeldBack(item: Item): boolean {
  const isSent = [LOG_PK_PREFIX, DIGEST_PREFIX, RETRY_PREFIX].some((prefix) => item.pk.startsWith(prefix));
  return isSent && item.dueAtMs <= heldBackUntilMs(item);
}

/** A delivery that was postponed before the restore: whether its message was sent since, the table may not show. */
function isHeldBackAgain({ postponed }: PostponedDelivery): boolean {
  return postponed.sinceMs <= heldBackUntilMs({ isRequested: false });
}

async function makeOtherReady(deps: Deps, pk: string, nowMs: number): Promise<void> {
  if (pk.startsWith(DIGEST_PREFIX)) await flushBucket(deps, pk, nowMs);
  else if (pk.startsWith(RETRY_PREFIX)) await enqueueRetry(deps, pk, nowMs);
  else if (pk.startsWith(WEBHOOK_CALL_PREFIX)) await enqueueCall(deps, pk, nowMs);
  else if (pk.startsWith(EXPORT_PREFIX)) await continueExport(deps, pk, nowMs);
  else if (pk.startsWith(ERASURE_PREFIX)) await continueErasure(deps, pk, nowMs);
  else if (pk.startsWith(ENVIRONMENT_REMOVAL_PREFIX)) await continueRemoval(deps, pk, nowMs);
  else if (pk.startsWith(ERASURE_PASS_PREFIX)) await erasurePassStep(deps, pk, nowMs);
  else if (pk.startsWith(USER_PK_PREFIX)) {
    await returnSnoozed(deps, pk, nowMs);
    await recheckUser(deps, pk, nowMs);
  }
}

/** The items have returned once they are stored: an outage of the socket costs only the push. */
async function returnSnoozed(
  { erasureMarks, inappSnoozes, realtimePublisher }: Deps,
  pk: string,
  nowMs: number,
): Promise<void> {
  const returned = await inappSnoozes.returnDue(pk, nowMs, erasureMarks);
  for (const { environmentId, userId, item } of returned) {
    try {
      await realtimePublisher.publish(environmentId, userId, item);
    } catch (error) {
      log.error('a snoozed in-app item returned but was not pushed', { channel: 'INAPP_WEB' }, error);
    }
  }
}

/** The claim expires: a call that then finds no place on the queue becomes due again. */
async function enqueueCall({ queues, webhookCalls }: Deps, pk: string, nowMs: number): Promise<void> {
  const call = await webhookCalls.claimDue(pk, nowMs);
  if (!call) return;
  await sendOrThrow(queues, callMessage(call));
}

/** The queue drops the second of two, so it is sent before the wait ends. */
async function enqueueRetry(deps: Deps, pk: string, nowMs: number): Promise<void> {
  const waiting = await deps.deliveryRetries.find(pk);
  if (waiting && waiting.dueAtMs <= nowMs) await enqueueWaiting(deps, waiting, nowMs);
}

/** Who cancels it or changes its time at this moment is first, or late. */
async function enqueueWaiting(
  deps: Pick<Deps, 'deliveryRetries' | 'queues'>,
  waiting: WaitingDelivery,
  nowMs: number,
): Promise<void> {
  if (!(await deps.deliveryRetries.claim(waiting, nowMs))) return;
  await enqueueAgain(deps, v.parse(PostponedDelivery, waiting.delivery));
  await deps.deliveryRetries.end(waiting);
}

/** Making a message visible later keeps it in flight, and a queue has a limited number of messages in flight. */
const PASSED_ON_MS = 60_000;

async function passOn({ queues }: Deps, body: Again, nowMs: number): Promise<'done'> {
  await sendOrThrow(queues, againMessage(body, nowMs));
  return 'done';
}

/** The turn of a delivery has come; if more accounts have become busy meanwhile, it gets a later turn. */
async function takeTurn(deps: Deps, body: Again, nowMs: number): Promise<'done'> {
  const { again, accountId, isUrgent } = body;
  const owner = accountId === undefined ? [] : [{ accountId, isUrgent, hasWaited: true }];
  const [turnMs] = await deps.shares.turnsOf(deps, again.channel, owner, nowMs);
  if (turnMs !== undefined) return passOn(deps, { ...body, dueAtMs: turnMs }, nowMs);
  await enqueueAgain(deps, again);
  return 'done';
}

async function enqueueAgain({ queues }: Pick<Deps, 'queues'>, delivery: PostponedDelivery): Promise<void> {
  await sendOrThrow(queues, postponedMessage(delivery));
}

/**
 * Until when all due work is held back, epoch milliseconds. A table restored from a backup does not show what
 * was sent between the backup and the pause: for that time, only what an operator requests is sent. 0 without
 * a restore.
 */
function heldBackUntilMs({ isRequested }: { isRequested: boolean }): number {
  const until = findSetting('RESTORED_UNTIL');
  if (until === undefined || isRequested) return 0;
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) throw new ConfigError('RESTORED_UNTIL must be an ISO 8601 time');
  return untilMs;
}

type RecheckDependencies = AdvanceDependencies &
  FlushDependencies &
  Pick<Deps, 'accounts' | 'deliveryRetries' | 'dueItems' | 'rechecks' | 'userTraces'>;

const AT_ONCE = 5;

/**
 * Evaluates again what quiet hours or a pause hold for a user whose settings have changed: what the new settings let
 * through is sent, the rest waits until their end. Safe to repeat.
 */
async function recheckUser(deps: RecheckDependencies, pk: string, nowMs: number): Promise<void> {
  const recheck = await deps.rechecks.findByPk(pk);
  if (!recheck) return;
  const { feedShards } = await deps.accounts.get(recheck.accountId);
  const waiting = await deps.dueItems.listOfUser(recheck, { fromMs: nowMs, feedShards });
  await inChunks(waiting, AT_ONCE, async (each) => {
    if (!each.startsWith(RETRY_PREFIX))
      return advanceNotification(deps, trackingIdOfPk(each), nowMs, { isRecheck: true });
    const delivery = await deps.deliveryRetries.find(each);
    if (delivery?.hold && !delivery.delivery.isReleased) await enqueueWaiting(deps, delivery, nowMs);
  });
  for (const traced of await deps.userTraces.list(recheck)) {
    if (!traced.startsWith(DIGEST_PREFIX)) continue;
    const bucket = await deps.digests.findBucket(traced);
    // An open bucket after its flush time is held.
    if (bucket?.state === 'open' && !bucket.isMoved && bucket.flushAtMs <= nowMs)
      await flushBucket(deps, traced, nowMs);
  }
  await deps.rechecks.complete(recheck, nowMs);
}
