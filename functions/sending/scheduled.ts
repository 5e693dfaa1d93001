import type { StoredLogHead } from '../../shared/database/entities/log-head.ts';
import type { SendingContexts } from '../../shared/database/entities/sending-context.ts';
import type { Caller } from '../../shared/http/caller.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import { decide, dueAtOf, expiryOf, firstUseType, notOff } from './accept.ts';
import type { DueDependencies } from './due.ts';
import { loggableRequest, readIntake } from './intake.ts';
import { type TraceDependencies, traced } from './traced.ts';

/** What changing a scheduled notification needs. */
export type RescheduleDependencies = DueDependencies &
  TraceDependencies & { sendingContexts: SendingContexts };

/** The error of a notification that is not there, or not waiting any more. */
function notWaiting(): AppError {
  return new AppError('SCHEDULE_RESOURCE_NOT_FOUND', {
    fix: 'GET /logs/{trackingIds} tells what became of it; a notification that was sent or cancelled cannot change.',
  });
}

/** The caller's notification that waits for its time. Throws SCHEDULE_RESOURCE_NOT_FOUND. */
async function getWaiting(
  deps: Pick<DueDependencies, 'logs'>,
  caller: Caller,
  trackingId: string,
  nowMs: number,
): Promise<StoredLogHead> {
  const head = trackingId.length > 64 ? undefined : await deps.logs.findHead(trackingId, nowMs);
  const isOurs =
    head?.accountId === caller.accountId &&
    (!caller.boundToEnvironment || head.environmentId === caller.environmentId);
  if (!head || !isOurs || head.state !== 'scheduled') throw notWaiting();
  return head;
}

/**
 * Changes body or time of a waiting notification: top-level keys of `change` replace the stored ones, without a schedule
 * the time stays. Throws SCHEDULE_RESOURCE_NOT_FOUND, also when its moment came first.
 */
export async function reschedule(
  deps: RescheduleDependencies,
  caller: Caller,
  trackingId: string,
  change: SendRequest,
  nowMs: number,
): Promise<{ scheduledForMs: number }> {
  for (;;) {
    const waiting = await getWaiting(deps, caller, trackingId, nowMs);
    const changed = await changedHead(deps, waiting, change, nowMs);
    const write = await deps.logs.replaceScheduled(changed.head, changed.feedShards);
    const outcome = await traced(deps, changed.head, changed.feedShards, () =>
      deps.sendingRules.commit(write, {}, nowMs),
    );
    if (outcome.kind === 'committed') return { scheduledForMs: changed.scheduledForMs };
  }
}

async function changedHead(
  deps: RescheduleDependencies,
  waiting: StoredLogHead,
  change: SendRequest,
  nowMs: number,
) {
  const scope = { accountId: waiting.accountId, environmentId: waiting.environmentId };
  const intake = readIntake(withChange(waiting, change));
  const { userId, notificationId } = intake;
  const context = await deps.sendingContexts.read({ ...scope, userId, notificationId });
  const wanted = change.schedule === undefined ? waiting.scheduledForMs : dueAtOf(intake, context, nowMs);
  const scheduledForMs = wanted ?? nowMs;
  const type =
    context.type ??
    (await deps.notificationTypes.createIfMissing(scope.environmentId, firstUseType(intake, nowMs)));
  const user = await deps.users.merge(scope, userId, intake.contact, {
    nowMs,
    known: context.profile ?? null,
  });
  const decided = decide(intake, context, type, user, scheduledForMs);
  const { subNotificationId: _, email: __, number: ___, ...rest } = waiting;
  const head: StoredLogHead = {
    ...rest,
    userId,
    notificationId,
    ...(intake.subNotificationId === undefined ? {} : { subNotificationId: intake.subNotificationId }),
    request: loggableRequest(intake.request),
    routing: notOff(decided),
    messages: decided.messages,
    scheduledForMs,
    scheduleUpdatedAtMs: nowMs,
    scheduleUpdatedToMs: scheduledForMs,
    expiresAtSeconds: expiryOf(context, type, scheduledForMs, decided),
    ...(user.email ? { email: user.email } : {}),
    ...(user.number ? { number: user.number } : {}),
  };
  return { head, scheduledForMs, feedShards: context.account.feedShards };
}

/** A newer name for the same thing takes the legacy name's place, so that the change wins over what was stored. */
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

/** Takes a waiting notification back: after this nothing is sent, ever. Throws SCHEDULE_RESOURCE_NOT_FOUND. */
export async function cancel(
  deps: Pick<DueDependencies, 'logs' | 'sendingRules'> & { feedShards: number },
  caller: Caller,
  trackingId: string,
  nowMs: number,
): Promise<void> {
  for (;;) {
    const waiting = await getWaiting(deps, caller, trackingId, nowMs);
    const head: StoredLogHead = { ...waiting, state: 'cancelled', scheduleDeletedAtMs: nowMs };
    const write = await deps.logs.replaceScheduled(head, deps.feedShards);
    const outcome = await deps.sendingRules.commit(write, {}, nowMs);
    if (outcome.kind === 'committed') return;
  }
}

/** The answer of PUT /sender/scheduler/{trackingId}. */
export function rescheduledAnswer(trackingId: string, scheduledForMs: number) {
  return {
    message: 'The scheduled notification is updated.',
    trackingId,
    scheduledFor: isoOf(scheduledForMs),
  };
}
