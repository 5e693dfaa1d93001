import { isDeepStrictEqual } from 'node:util';
import type { NotificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { ErasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { requestedAtMs, type StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { IdempotencyKeys } from '../../../shared/database/entities/sending/idempotency-keys.ts';
import type { Rules } from '../../../shared/database/entities/sending/sending-rules.ts';
import type { UserTraces } from '../../../shared/database/entities/users/user-traces.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import type { LogHead } from '../../../shared/domain/logs/log.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { DAY_SECONDS, secondsAfter } from '../../../shared/runtime/values/durations.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { commitOrRefuse, type Evaluation, evaluate, type Known, type Moment } from '../decide/evaluate.ts';
import { decidedHead, fanOutOf, receivedHead } from '../decide/head.ts';
import { acceptedOf, type Committed, type WaitingContext } from '../waiting/waiting.ts';
import { type WithdrawDependencies, withdrawScheduled } from '../withdraw-scheduled.ts';
import type { AcceptRequest } from './accept-request.ts';
import {
  assertSameRequest,
  candidateIds,
  claimKeyFor,
  findKey,
  isCurrent,
  keepAsLink,
} from './idempotency.ts';
import type { Intake } from './intake.ts';

/** Input for storing a notification with its type and its user's contact data. */
export type CommitDependencies = TraceDependencies & {
  users: Users;
  notificationTypes: NotificationTypes;
  idempotencyKeys: IdempotencyKeys;
};

/** The key and expiry of a head. */
type Named = { trackingId: string; requestHash?: string };

export type Pending = { intake: Intake; known: Known; moment: Moment; evaluation: Evaluation };

/** Stores the notification, after its type and its user's contact data if they are new. */
export async function commit(
  deps: CommitDependencies,
  incoming: AcceptRequest,
  pending: Pending,
): Promise<Committed> {
  await claimKeyFor(deps.idempotencyKeys, incoming);
  const evaluation = await withStored(deps, incoming.caller, pending);
  return append(deps, incoming, { ...pending, evaluation });
}

/**
 * Appends the notification. Under an idempotency key, a duplicate fails the head's condition and gets the
 * stored response.
 */
export async function append(
  deps: CommitDependencies,
  incoming: AcceptRequest,
  pending: Pending,
): Promise<Committed> {
  const { receivedAtMs } = incoming.facts;
  const key = findKey(incoming);
  if (!key) {
    const trackingId = newTrackingId(receivedAtMs, incoming.position);
    const { head } = await appendHead(deps, incoming, pending, { trackingId });
    return acceptedOf(head, contextOf(pending));
  }
  const { requestHash } = key;
  const ids = candidateIds(key);
  let trackingId = ids.next(receivedAtMs).value;
  for (;;) {
    const { head, isNew } = await appendHead(deps, incoming, pending, { trackingId, requestHash });
    if (!isNew && isCurrent(head, receivedAtMs)) assertSameRequest(key, head);
    if (isNew || isCurrent(head, receivedAtMs)) return acceptedOf(head, contextOf(pending));
    if (await keepAsLink(deps.logs, head, receivedAtMs)) trackingId = ids.next(head.receivedAtMs).value;
  }
}

/**
 * Stores the type and the contact data of the request. If a concurrent request stored others first, the
 * notification is evaluated by those, and only then: usually what is stored is what it was evaluated by.
 */
export async function withStored(
  { notificationTypes, users }: Pick<CommitDependencies, 'notificationTypes' | 'users'>,
  scope: { accountId: string; environmentId: string },
  { intake, known, moment, evaluation }: Pending,
): Promise<Evaluation> {
  const { createsType, type, user } = evaluation;
  const { context } = known;
  const storedType =
    createsType && type ? await notificationTypes.createIfMissing(scope.environmentId, type) : context.type;
  const storedUser =
    user === known.user
      ? user
      : await users.merge(scope, intake.userId, intake.contact, {
          nowMs: moment.nowMs,
          known: context.profile ?? null,
        });
  if (storedType === type && isEvaluated(storedUser, user)) return evaluation;
  const next = { ...known, context: { ...context, type: storedType }, user: storedUser };
  return { ...evaluate(intake, next, moment), hitCap: undefined };
}

/** The suppression of the user's address is not part of what is stored. */
function isEvaluated(stored: Profile | undefined, evaluated: Profile | undefined): boolean {
  const { emailSuppressionStatus: _, ...known } = { emailSuppressionStatus: undefined, ...stored };
  const { emailSuppressionStatus: __, ...used } = { emailSuppressionStatus: undefined, ...evaluated };
  return stored === evaluated || isDeepStrictEqual(known, used);
}

export function headOf(
  incoming: AcceptRequest,
  { intake, evaluation }: Pick<Pending, 'intake' | 'evaluation'>,
  named: Named,
): StoredLogHead {
  const { facts, test } = incoming;
  const { dueAtMs, expiresAtSeconds } = evaluation;
  const { userId, notificationId, subNotificationId, request, topicId } = intake;
  const isScheduled = dueAtMs !== undefined;
  const fanOut = isScheduled ? undefined : fanOutOf(intake, evaluation, facts.receivedAtMs);
  const state = isScheduled ? 'scheduled' : fanOut ? 'fanning' : 'accepted';
  const base = {
    ...receivedHead({ ...incoming, body: request }, { userId, notificationId, state }),
    ...named,
    subNotificationId,
    test: test || undefined,
    processedAtMs: isScheduled ? undefined : facts.receivedAtMs,
    scheduledForMs: dueAtMs,
    revision: isScheduled || fanOut ? 1 : undefined,
    topicId,
    fanOut,
    expiresAtSeconds,
  };
  return decidedHead(base, evaluation, facts.receivedAtMs);
}

/** The context of a notification's waiting channels. */
export function contextOf({ known, evaluation }: Pick<Pending, 'known' | 'evaluation'>): WaitingContext {
  const { type, user } = evaluation;
  return { account: known.context.account, type, timezone: user?.timezone };
}

async function appendHead(
  deps: CommitDependencies,
  incoming: AcceptRequest,
  { intake, known, evaluation }: Pending,
  named: Named,
): Promise<{ head: StoredLogHead; isNew: boolean }> {
  const { feedShards } = known.context.account;
  const outcome = await commitOrRefuse(evaluation, async (decided, rules) => {
    const head = headOf(incoming, { intake, evaluation: decided }, named);
    return { head, ...(await traced(deps, head, feedShards, () => putHead(deps, head, rules, feedShards))) };
  });
  return outcome.kind === 'exists'
    ? { head: outcome.existing, isNew: false }
    : { head: outcome.head, isNew: true };
}

/** One conditional write; a transaction with deduplication marker and throttle state if there are rules. */
async function putHead(
  { logs, sendingRules }: CommitDependencies,
  head: StoredLogHead,
  rules: Rules | undefined,
  feedShards: number,
) {
  const { expiresAtSeconds, receivedAtMs } = head;
  const put = await logs.headItem(head, { feedShards, expiresAtSeconds });
  const condition = 'attribute_not_exists(pk)';
  const outcome = await sendingRules.commit({ put, condition }, rules, receivedAtMs);
  if (outcome.kind !== 'exists') return outcome;
  if (!outcome.current) throw new Error('an existing tracking ID has no head');
  return { kind: 'exists' as const, existing: await logs.readHead(outcome.current) };
}

/** Dependencies of storing a scheduled notification, in addition to its write. */
export type TraceDependencies = WithdrawDependencies & { userTraces: UserTraces; erasureMarks: ErasureMarks };

const KEPT_AFTER_DUE_SECONDS = 7 * DAY_SECONDS;

/**
 * Writes a head. If it waits for its time and is for a user, its trace is written before and the user's deletion mark is read
 * after: the write and a deletion see each other in either order, so that a deleted user has no waiting notification.
 */
export async function traced<T>(
  deps: TraceDependencies,
  head: LogHead,
  feedShards: number,
  write: () => Promise<T>,
): Promise<T> {
  const { environmentId, userId, trackingId, scheduledForMs } = head;
  if (head.state !== 'scheduled' || scheduledForMs === undefined || userId === '') return write();
  const untilSeconds = secondsAfter(scheduledForMs, KEPT_AFTER_DUE_SECONDS);
  await deps.userTraces.enter(head, logPk(trackingId), { untilSeconds, atMs: requestedAtMs(head) });
  const outcome = await write();
  const erasedAtMs = await deps.erasureMarks.findErasedAtMs(environmentId, userId);
  if (erasedAtMs !== undefined && erasedAtMs >= requestedAtMs(head)) {
    await withdrawScheduled(deps, trackingId, { userId, erasedAtMs }, feedShards);
  }
  return outcome;
}
