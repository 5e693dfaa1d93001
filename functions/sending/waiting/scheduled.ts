import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import { ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import { AGAIN, untilSettled } from '../../../shared/database/items/settle.ts';
import {
  isLastDue,
  movedProgress,
  nextDueAtMs,
  type Progress,
  progressOf,
} from '../../../shared/domain/routing/steps.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { type CommitDependencies, traced, withStored } from '../accept/commit.ts';
import { aboutStored, readCheckedIntake, readIntake, withLiquid } from '../accept/intake.ts';
import { type ContentCheckDependencies, openContentChecks } from '../content/content-checks.ts';
import { readKnown, readNewType } from '../decide/context.ts';
import { evaluate } from '../decide/evaluate.ts';
import { decidedHead, loggableRequest } from '../decide/head.ts';
import { readDueAt } from '../schedule.ts';
import type { DueDependencies } from './due.ts';

export type RescheduleDependencies = DueDependencies &
  CommitDependencies &
  ContentCheckDependencies & { sendingContexts: SendingContexts };

export function notWaiting(): AppError {
  return new AppError('SCHEDULE_RESOURCE_NOT_FOUND', {
    fix: 'GET /logs/{trackingIds} shows its outcome; a notification that was sent or cancelled cannot change.',
  });
}

/**
 * Returns the caller's notification in any state; undefined if it is unknown or belongs to another caller.
 */
async function findOwn(
  deps: Pick<DueDependencies, 'logs'>,
  caller: Caller,
  trackingId: string,
  nowMs: number,
): Promise<StoredLogHead | undefined> {
  const head = trackingId.length > 64 ? undefined : await deps.logs.findHead(trackingId, nowMs);
  return head && isOwn(caller, head) ? head : undefined;
}

export function isOwn(caller: Caller, of: { accountId: string; environmentId: string }): boolean {
  return (
    of.accountId === caller.accountId &&
    (!caller.boundToEnvironment || of.environmentId === caller.environmentId)
  );
}

/**
 * Changes body or time of a waiting notification: top-level keys of `change` replace the stored keys; without a schedule, the
 * time stays. Throws SCHEDULE_RESOURCE_NOT_FOUND, also if its due time came first.
 */
export async function reschedule(
  deps: RescheduleDependencies,
  caller: Caller,
  { trackingId, change, nowMs }: { trackingId: string; change: SendRequest; nowMs: number },
): Promise<{ scheduledForMs: number }> {
  return untilSettled(async () => {
    const waiting = await findOwn(deps, caller, trackingId, nowMs);
    if (waiting?.state !== 'scheduled') throw notWaiting();
    const { head, feedShards, scheduledForMs } = await changedHead(deps, waiting, change, nowMs);
    const write = await deps.logs.replaceScheduled(head, feedShards);
    const outcome = await traced(deps, head, feedShards, () =>
      deps.sendingRules.commit(write, undefined, nowMs),
    );
    if (outcome.kind !== 'committed') return AGAIN;
    await deps.logs.removeReplaced(waiting, write.put);
    return { scheduledForMs };
  });
}

/** A change of these is checked by the schema of the type. */
const PARAMETERIZED = ['parameters', 'mergeTags', 'type', 'notificationId'] as const;

async function changedHead(
  deps: RescheduleDependencies,
  waiting: StoredLogHead,
  change: SendRequest,
  nowMs: number,
) {
  const scope = { accountId: waiting.accountId, environmentId: waiting.environmentId };
  const isOnlyTime = Object.keys(change).every((name) => name === 'schedule');
  const next = withChange(waiting, change);
  const changed = isOnlyTime
    ? await withLiquid(readIntake(next))
    : await readCheckedIntake(next).catch((error: unknown) => {
        throw aboutStored(
          error,
          change,
          (field) => `send ${field} with the change, or cancel the notification and send another.`,
        );
      });
  // The stored contact data was saved when the notification was accepted, and may have changed since.
  const intake = change.to || change.user ? changed : { ...changed, contact: {} };
  const content = isOnlyTime ? undefined : openContentChecks(deps)(intake);
  await content?.read(scope.environmentId);
  const { userId, topicId, notificationId, subNotificationId, request } = intake;
  const stored = await readKnown(deps, { ...scope, userId, notificationId }, undefined, nowMs);
  const { dueAtMs = nowMs, isPast } =
    change.schedule === undefined
      ? { dueAtMs: waiting.scheduledForMs, isPast: false }
      : readDueAt(intake, stored, nowMs);
  if (PARAMETERIZED.some((name) => change[name] !== undefined))
    await content?.assertParameters(stored.context.type);
  const scheduledForMs = dueAtMs;
  // A deleted type is not created again, but a change can create a new type.
  const mayCreateType = notificationId !== waiting.notificationId;
  const newType = mayCreateType
    ? await readNewType(deps.notificationTypes, notificationId, stored.context)
    : undefined;
  const known = { ...stored, newType };
  const moment = { nowMs, dueAtMs: scheduledForMs, isPast, mayCreateType };
  const evaluation = evaluate(intake, known, moment);
  await content?.assertRendered(evaluation, { ...scope, account: known.context.account, nowMs });
  const decided = await withStored(deps, scope, { intake, known, moment, evaluation });
  const base = {
    ...waiting,
    userId,
    topicId,
    notificationId,
    subNotificationId,
    request: loggableRequest(request),
    scheduledForMs,
    scheduleUpdatedAtMs: nowMs,
    scheduleUpdatedToMs: scheduledForMs,
    expiresAtSeconds: decided.expiresAtSeconds,
  };
  const head: StoredLogHead = decidedHead(base, decided, nowMs);
  return { head, scheduledForMs, feedShards: known.context.account.feedShards };
}

/** A newer name replaces the legacy name of the same field, so that the change overrides what was stored. */
function withChange(waiting: StoredLogHead, change: SendRequest): SendRequest {
  const stored: SendRequest = { ...waiting.request };
  if (change.to) delete stored.user;
  if (change.user && !change.to) delete stored.to;
  if (change.type) delete stored.notificationId;
  if (change.notificationId && !change.type) delete stored.type;
  if (change.parameters || change.mergeTags) delete stored.mergeTags;
  if (change.mergeTags && !change.parameters) delete stored.parameters;
  if (change.secondaryId && !change.subNotificationId) delete stored.subNotificationId;
  return { ...stored, ...change };
}

type CancelDependencies = Pick<DueDependencies, 'logs' | 'sendingRules'> & {
  clock: Clock;
  feedShards: number;
};

/**
 * Cancels a waiting notification, or one whose topic members are being notified: after this, nothing is sent.
 * Throws SCHEDULE_RESOURCE_NOT_FOUND. Repeating it succeeds, because the response to the first may be lost.
 */
export async function cancel(
  deps: CancelDependencies,
  caller: Caller,
  trackingId: string,
  nowMs: number,
): Promise<void> {
  await untilSettled(async () => {
    const found = await findOwn(deps, caller, trackingId, nowMs);
    if (found?.state === 'cancelled' && found.scheduleDeletedAtMs !== undefined) return undefined;
    if (found?.state === 'accepted') return cancelWaiting(deps, trackingId, nowMs);
    if (found?.state !== 'scheduled' && found?.state !== 'fanning') throw notWaiting();
    const fanOut = found.fanOut && { ...found.fanOut, cursor: undefined };
    const base: StoredLogHead = { ...found, state: 'cancelled', scheduleDeletedAtMs: nowMs };
    const head = fanOut ? { ...base, fanOut } : base;
    const write = await deps.logs.replaceScheduled(head, deps.feedShards, found.state);
    const outcome = await deps.sendingRules.commit(write, undefined, nowMs);
    if (outcome.kind !== 'committed') return AGAIN;
    await deps.logs.removeReplaced(found, write.put);
    return undefined;
  });
}

/** Moves the next due time of an accepted notification: of its step or held channels. Throws SCHEDULE_RESOURCE_NOT_FOUND. */
export async function moveWaiting(
  deps: Pick<CancelDependencies, 'clock' | 'logs'>,
  trackingId: string,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<void> {
  await untilSettled(async () => {
    const head = await deps.logs.findHead(trackingId, nowMs);
    // Before the change: the log is kept until then.
    if (head) await deps.logs.prolong(head, untilMs);
    return changeProgress(deps, trackingId, nowMs, (log, progress) => movedProgress(log, progress, untilMs));
  });
}

/** Cancels the waiting steps and held channels. */
async function cancelWaiting(
  deps: CancelDependencies,
  trackingId: string,
  nowMs: number,
): Promise<typeof AGAIN | undefined> {
  return changeProgress(deps, trackingId, nowMs, (_, progress) => ({
    ...progress,
    count: progress.count + 1,
    stepAtMs: nowMs,
    isCancelled: true,
  }));
}

/**
 * Changes the progress of an accepted notification. If a step starts at the same time, the next progress record
 * lets exactly one of the two win. The last step writes no such record, so it can be changed only before it
 * is due. A change that took until then is reverted.
 */
async function changeProgress(
  { logs, clock }: Pick<CancelDependencies, 'clock' | 'logs'>,
  trackingId: string,
  nowMs: number,
  change: (head: StoredLogHead, progress: Progress) => Progress,
): Promise<typeof AGAIN | undefined> {
  const log = await logs.find(trackingId, nowMs);
  const progress = log && progressOf(log.head, log.events);
  const next = log && progress && change(log.head, progress);
  if (progress?.isCancelled && next?.isCancelled) return undefined;
  const dueAtMs = progress && nextDueAtMs(log.head, progress, log.events);
  if (!log || !next || dueAtMs === undefined) throw notWaiting();
  const isLast = isLastDue(log.head, progress);
  if (isLast && clock.now() >= dueAtMs) throw notWaiting();
  const owner = ownerOf(log.head);
  const times = { atMs: nowMs, dueAtMs: nextDueAtMs(log.head, next) };
  if (!(await logs.appendProgress(trackingId, owner, next, times))) return AGAIN;
  if (!isLast || clock.now() < dueAtMs) return undefined;
  const resumed = { ...progress, count: progress.count + 2 };
  await logs.appendProgress(trackingId, owner, resumed, { atMs: nowMs, dueAtMs });
  throw notWaiting();
}

export function rescheduledResponse(trackingId: string, scheduledForMs: number) {
  return {
    message: 'The scheduled notification is updated.',
    trackingId,
    scheduledFor: isoOf(scheduledForMs),
  };
}
