import type { ChannelProvider } from '../../../shared/channels/channel.ts';
import { rejectOversize } from '../../../shared/channels/message-size.ts';
import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { packPreview } from '../../../shared/database/entities/logs/log-event.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { deliveryRetries } from '../../../shared/database/entities/sending/delivery-retries.ts';
import type { Unfinished } from '../../../shared/database/entities/sending/provider-calls.ts';
import { sendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Taken } from '../../../shared/database/entities/usage/phone-caps.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { retryKey } from '../../../shared/database/keys/log.ts';
import { cancelledFields, channelFields } from '../../../shared/domain/routing/channel-fields.ts';
import { type QueueOutcome, queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { CHANNEL_QUEUES } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { findUnmetCondition } from '../../../shared/rendering/liquid/condition.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import {
  type Dependencies,
  type Dependency,
  jitter,
  joined,
  type Resolved,
} from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../shared/schemas/logs/log-record.ts';
import type { Build, BuildContext, Built } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { findRecipient } from './content/recipient.ts';
import { attemptsBefore, recordAttempt } from './outcome/attempts.ts';
import { removeDeadTokens } from './outcome/dead-tokens.ts';
import { deliverMeasured } from './outcome/measured.ts';
import {
  completeOutcome,
  ignoredFields,
  missingFields,
  recordOutcome,
  type Settled,
} from './outcome/record-outcome.ts';
import { deliverRemaining, retryRemaining } from './outcome/remaining.ts';
import { isLastTry, tryLater } from './outcome/try-later.ts';
import { Body, type Receive } from './receive.ts';
import { COUNTED_AFTER_SECONDS, mayWait, overCapEvent } from './waiting/over-cap.ts';
import {
  isPostponedTooLong,
  lastWaitSeconds,
  postpone,
  postponedAgain,
  settledPostponement,
  unfinishedAttempt,
} from './waiting/postpone.ts';
import { releasedLog, startedLog } from './waiting/started.ts';
import { holdUntil, isQuiet, isWaitedFor, quietFrom } from './waiting/waited.ts';
import { isWaiting, isWithheld } from './waiting/waiting.ts';

const COMMON = {
  ...contentDependencies,
  jitter,
  queues,
  deliveryRetries,
  erasureMarks,
  sendingContexts,
  users,
};
type Deps<C extends Channel> = Resolved<typeof COMMON> & { provider: ChannelProvider<C>; clock: Clock };

/**
 * The SQS handler of one channel: claims by the queue's message group, renders, calls the provider, appends
 * the outcome. Only the provider's own response is an outcome or a retry. A fault in this service (storage,
 * keys, settings) is thrown: the message waits, and becomes a dead letter that can be requeued.
 */
export function deliverer<C extends Channel, D extends object>(
  channel: C,
  provider: Dependency<ChannelProvider<C>>,
  building: Dependencies<D>,
  buildAny: Build<C, D>,
) {
  const build: Build<C, D> = async (deps, context) => {
    const built = await buildAny(deps, context);
    return (built.kind === 'ready' && rejectOversize(channel, built.delivery)) || built;
  };
  return queueWorker(
    { name: CHANNEL_QUEUES[channel], body: Body, failed: 'a message was not delivered' },
    joined<Omit<Deps<C>, 'clock'>, D>({ ...COMMON, provider }, building),
    async (deps): Promise<QueueOutcome> => {
      const { body, attempt: receives, clock, timeLeftMs } = deps;
      const nowMs = clock.now();
      const found = await deps.logs.find(body.trackingId, nowMs, { isHidden: true });
      const log = found && releasedLog(startedLog(found, channel, body.started), body.isReleased);
      if (!log) return 'done';
      const receive = { log, body, receives, nowMs, timeLeftMs };
      const tokens = body.postponed?.tokens;
      if (tokens)
        return deliverRemaining(channel, deps, (context) => build(deps, context), { ...receive, tokens });
      if (!isWaiting(log, channel)) {
        if (isWithheld(log, channel)) await recordContent(deps, channel, log, nowMs);
        else await completeOutcome(deps, channel, log);
        return 'done';
      }
      if (await waitsAlready(channel, deps, receive)) return 'done';
      return deliver(channel, deps, (context) => build(deps, context), receive);
    },
  );
}

/** True if an earlier receive of the message stored its wait and ended before the message left the queue. */
async function waitsAlready(
  channel: Channel,
  { deliveryRetries }: Resolved<Pick<typeof COMMON, 'deliveryRetries'>>,
  { body: { trackingId, postponed }, receives }: Receive,
): Promise<boolean> {
  if (receives === 1) return false;
  const waiting = await deliveryRetries.find(retryKey(trackingId, channel).pk);
  return waiting !== undefined && waiting.delivery.postponed.times > (postponed?.times ?? 0);
}

/** A message that is ready, and what its receive knows. */
type Sending<C extends Channel> = Receive & {
  channel: C;
  built: Extract<Built<C>, { kind: 'ready' }>;
  account: Account | undefined;
  /** The number of this call to the provider, from 1. */
  attempt: number;
  /** An attempt that ran out of time and continues now. */
  unfinished: Unfinished | undefined;
};

async function deliver<C extends Channel>(
  channel: C,
  deps: Deps<C>,
  build: (context: BuildContext) => Promise<Built<C>>,
  receive: Receive,
): Promise<QueueOutcome> {
  const { log, body, receives, nowMs, timeLeftMs } = receive;
  const { head } = log;
  const { postponed } = body;
  const attempt = attemptsBefore(log, channel, { receives, postponed }) + 1;
  const isLate = isWaitedFor(receive);
  const [account, user, type] = await Promise.all([
    deps.accounts.findRecent(head.accountId),
    findRecipient(deps, head, isLate),
    deps.notificationTypes.findRecent(head.environmentId, head.notificationId),
  ]);
  if (account?.disabled || !user)
    return finish(channel, deps, head, { kind: 'withheld', fields: ignoredFields(channel) });
  if (isLate || isQuiet(channel, { account, type, user }, receive)) {
    const { decideAgain } = await import('./waiting/decide-again.ts');
    const sources = { sendingContexts: deps.sendingContexts, liquid: { findUnmetCondition } };
    const decided = head.test ? undefined : await decideAgain(channel, sources, { head, user, nowMs });
    if (decided?.kind === 'withheld') return finish(channel, deps, head, decided);
    if (decided?.kind === 'held') return holdUntil(deps, channel, receive, { ...decided, attempt });
  }
  const validUntilMs = quietFrom(channel, { account, type, user }, receive);
  const startedAtMs = body.started?.atMs;
  const built = await build({ head, user, attempt, nowMs, timeLeftMs, validUntilMs, startedAtMs });
  if (built.kind !== 'ready') return finish(channel, deps, head, built);
  const unfinished = unfinishedAttempt(postponed, attempt);
  const sending: Sending<C> = { ...receive, channel, built, account, attempt, unfinished };
  const entered = deps.provider.awaitTurn && built.enter?.();
  if (entered?.kind === 'waiting') return retryLater(deps, sending, entered.afterSeconds);
  try {
    const turn = entered?.kind === 'idle' ? undefined : await deps.provider.awaitTurn?.(timeLeftMs());
    return turn ? await retryLater(deps, sending, turn.againSeconds) : await send(deps, sending);
  } finally {
    if (entered?.kind === 'entered') entered.leave();
  }
}

/** Sends a message whose turn has come, unless it was cancelled or a cap leaves no room. */
async function send<C extends Channel>(deps: Deps<C>, sending: Sending<C>): Promise<QueueOutcome> {
  const { channel, built, account, log, body, nowMs } = sending;
  const { head } = log;
  if (head.parentId !== undefined && (await deps.logs.isCancelled(head.parentId)))
    return finish(channel, deps, head, { kind: 'withheld', fields: cancelledFields(channel, nowMs) });
  const takenAtMs = deps.clock.now();
  const taken = account && (await built.take?.(account, takenAtMs));
  if (taken?.kind !== 'used_up') return callProvider(deps, sending, taken);
  if (mayWait(taken, body.postponed, takenAtMs)) return retryLater(deps, sending, COUNTED_AFTER_SECONDS);
  const { fields } = overCapEvent(channel, taken.cap, takenAtMs);
  return finish(channel, deps, head, { kind: 'withheld', fields });
}

/** Calls the provider and records its response, unless the message is to be retried. */
async function callProvider<C extends Channel>(
  deps: Deps<C>,
  sending: Sending<C>,
  taken: Exclude<Taken, { kind: 'used_up' }> | undefined,
): Promise<QueueOutcome> {
  const { channel, built, log, body, attempt, unfinished, nowMs } = sending;
  const { head } = log;
  const { postponed } = body;
  // A receive that cannot record its outcome must not call the provider repeatedly.
  if (attempt > 1) await recordAttempt(deps, channel, head, { attempt, postponed });
  // Before the call: nothing may come between the provider's response and its record.
  const preview = packPreview(built.preview);
  const { notes, missing } = built;
  const delivery = { ...built.delivery, ...defined({ unfinished }) };
  const response = await deliverMeasured(channel, deps, head, delivery).catch(async (error: unknown) => {
    await taken?.giveBack();
    throw error;
  });
  // Its next try needs a place again.
  if (response.kind !== 'sent') await taken?.giveBack();
  const outcome = settledPostponement(response, postponed, nowMs);
  if (outcome.kind === 'postponed')
    return retryLater(deps, sending, outcome.afterSeconds, outcome.unfinished);
  const trying = { ...sending, triedForMs: built.triedForMs };
  const isSettled = outcome.kind !== 'retry' || isLastTry(trying, outcome);
  const estimate = taken?.estimate;
  // First: a push whose record is lost would be lost to its other devices too.
  const isRetried = await retryRemaining(deps, sending, outcome);
  if (isSettled) {
    const settled = isRetried ? outcome : withRemaining(outcome);
    await recordOutcome(deps, channel, head, { ...settled, preview, notes, missing, estimate });
  }
  await outcome.afterwards?.();
  if (isSettled) await built.settled?.(outcome);
  if (outcome.deadTokens?.length) await removeDeadTokens(deps, head, outcome.deadTokens, nowMs);
  if (isSettled) return 'done';
  return tryLater(deps, trying, outcome);
}

/** A push with the failure of the tokens that are not tried again. */
function withRemaining<O extends { fields?: LogFields; remaining?: { fields: LogFields } }>(outcome: O): O {
  const { remaining } = outcome;
  return remaining ? { ...outcome, fields: { ...remaining.fields, ...outcome.fields } } : outcome;
}

async function finish<C extends Channel>(
  channel: C,
  deps: Deps<C>,
  head: StoredLogHead,
  outcome: Settled<C>,
): Promise<QueueOutcome> {
  await recordOutcome(deps, channel, head, outcome);
  return 'done';
}

/** Postpones the message: it does not count as an attempt. */
async function retryLater<C extends Channel>(
  deps: Deps<C>,
  { channel, body, attempt, nowMs, ...sending }: Sending<C>,
  afterSeconds: number,
  unfinished = sending.unfinished,
): Promise<QueueOutcome> {
  if (isPostponedTooLong(body.postponed, nowMs)) return { againSeconds: lastWaitSeconds(afterSeconds) };
  const state = { calls: attempt - 1, unfinished };
  const again = { ...body, channel, postponed: postponedAgain(body.postponed, state, nowMs) };
  await postpone(deps, again, afterSeconds, deps.clock.now());
  return 'done';
}

/** Records the content of a channel that the environment withholds, as it would have been sent. */
async function recordContent<C extends Channel>(
  deps: Resolved<typeof contentDependencies> & Parameters<typeof findRecipient>[0],
  channel: C,
  { head }: Log,
  nowMs: number,
): Promise<void> {
  const user = head.isSensitive ? undefined : await findRecipient(deps, head);
  if (!user) return;
  const { rendered } = await loadContent(deps, channel, { head, user, nowMs });
  const logged = rendered.ok ? loggedOf(channel, rendered) : undefined;
  const failed_internal = rendered.ok ? undefined : rendered.problem;
  const fields = {
    ...channelFields<Channel>(channel, { failed_internal }),
    ...missingFields(channel, logged?.missing),
  };
  const event = { channel, stage: 'rendered', atMs: nowMs, fields } as const;
  await deps.logs.append(head.trackingId, ownerOf(head), event, logged && packPreview(logged.preview));
}
