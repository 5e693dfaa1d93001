import type { ChannelProvider, DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import type { Accounts } from '../../../../shared/database/entities/accounts/accounts.ts';
import type { NotificationTypes } from '../../../../shared/database/entities/content/notification-types.ts';
import type { ErasureMarks } from '../../../../shared/database/entities/erasure/erasure-marks.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import type { SendingContexts } from '../../../../shared/database/entities/sending/sending-context.ts';
import type { Users } from '../../../../shared/database/entities/users/users.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../../shared/domain/timing/retry.ts';
import type { QueueOutcome } from '../../../../shared/http/workers/queue-worker.ts';
import type { Queues } from '../../../../shared/messaging/queues-port.ts';
import { findUnmetCondition } from '../../../../shared/rendering/liquid/condition.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { BuildContext, Built } from '../content/built.ts';
import { findRecipient } from '../content/recipient.ts';
import type { Receive } from '../receive.ts';
import { postpone, postponedAgain } from '../waiting/postpone.ts';
import { quietFrom } from '../waiting/waited.ts';
import { attemptsBefore, recordAttempt } from './attempts.ts';
import { removeDeadTokens } from './dead-tokens.ts';
import { deliverMeasured } from './measured.ts';

type Deps<C extends Channel> = {
  accounts: Accounts;
  clock: Clock;
  erasureMarks: ErasureMarks;
  jitter: () => number;
  logs: Logs;
  notificationTypes: NotificationTypes;
  provider: ChannelProvider<C>;
  queues: Queues;
  sendingContexts: SendingContexts;
  users: Users;
};

/**
 * Sends a push, whose outcome is recorded, to the tokens that its service did not accept yet. It ends where the message would be
 * held or withheld now: the user has it on another device.
 */
export async function deliverRemaining<C extends Channel>(
  channel: C,
  deps: Deps<C>,
  build: (context: BuildContext) => Promise<Built<C>>,
  receive: Receive & { tokens: string[] },
): Promise<QueueOutcome> {
  const { log, body, receives, tokens, nowMs, timeLeftMs } = receive;
  const { head } = log;
  const { postponed, started } = body;
  const attempt = attemptsBefore(log, channel, { receives, postponed }) + 1;
  const [account, type] = await Promise.all([
    deps.accounts.findRecent(head.accountId),
    deps.notificationTypes.findRecent(head.environmentId, head.notificationId),
  ]);
  const user = await findRecipient(deps, head, true);
  if (!account || account.disabled || !user) return 'done';
  const { decideAgain } = await import('../waiting/decide-again.ts');
  const sources = { sendingContexts: deps.sendingContexts, liquid: { findUnmetCondition } };
  const decided = await decideAgain(channel, sources, { head, user, nowMs });
  if (decided.kind !== 'send') return 'done';
  const validUntilMs = quietFrom(channel, { account, type, user }, receive);
  const startedAtMs = started?.atMs;
  const built = await build({ head, user, attempt, nowMs, timeLeftMs, validUntilMs, startedAtMs, tokens });
  if (built.kind !== 'ready') return 'done';
  await recordAttempt(deps, channel, head, { attempt, postponed });
  const outcome = await deliverMeasured(channel, deps, head, built.delivery);
  if (outcome.deadTokens?.length) await removeDeadTokens(deps, head, outcome.deadTokens, nowMs);
  const isRetried = outcome.kind === 'retry' && attempt < TRIES_MAX[channel];
  if (isRetried || outcome.kind === 'postponed') {
    const [calls, waitSeconds] = isRetried
      ? [attempt, retryDelaySeconds(attempt, outcome.afterSeconds, deps.jitter())]
      : [attempt - 1, outcome.afterSeconds];
    const again = { ...body, channel, postponed: postponedAgain(postponed, { calls }, nowMs) };
    await postpone(deps, again, waitSeconds ?? 0, deps.clock.now());
    return 'done';
  }
  if (await retryRemaining(deps, { ...receive, channel, attempt }, outcome)) return 'done';
  const last = outcome.kind === 'sent' ? outcome.remaining : outcome;
  if (last?.fields) await noteFailure(deps, channel, head, last.fields);
  return 'done';
}

/** Enqueues the tokens of a sent push that can still be accepted; false if there are none, or no more attempts. */
export async function retryRemaining<C extends Channel>(
  deps: Pick<Deps<C>, 'queues' | 'jitter' | 'clock'>,
  { channel, body, attempt, nowMs }: Pick<Receive, 'body' | 'nowMs'> & { channel: C; attempt: number },
  outcome: DeliveryOutcome<C>,
): Promise<boolean> {
  const remaining = outcome.kind === 'sent' ? outcome.remaining : undefined;
  if (!remaining || attempt >= TRIES_MAX[channel]) return false;
  const { tokens, afterSeconds } = remaining;
  const again = postponedAgain(body.postponed, { calls: attempt, tokens }, nowMs);
  const waitSeconds = retryDelaySeconds(attempt, afterSeconds, deps.jitter());
  await postpone(deps, { ...body, channel, postponed: again }, waitSeconds, deps.clock.now());
  return true;
}

/** Adds the last failure to the log of the sent push. */
async function noteFailure(
  { logs, clock }: { logs: Logs; clock: Clock },
  channel: Channel,
  head: StoredLogHead,
  fields: object,
): Promise<void> {
  const event = { channel, stage: 'sent_update', seq: 'remaining', atMs: clock.now(), fields } as const;
  await logs.append(head.trackingId, ownerOf(head), event);
}
