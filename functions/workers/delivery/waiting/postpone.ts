import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import type { Unfinished } from '../../../../shared/database/entities/sending/provider-calls.ts';
import { messageBody, sendOrThrow } from '../../../../shared/messaging/message-body.ts';
import { DUE_QUEUE } from '../../../../shared/messaging/queue-names.ts';
import type { QueueMessage, Queues } from '../../../../shared/messaging/queues-port.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { DAY_MS } from '../../../../shared/runtime/values/durations.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { Postponed, PostponedDelivery } from './postponed.ts';
import { type ReadyChannel, readyMessage } from './ready-message.ts';

const SECONDS_MAX = 900;
/** As long as SQS keeps a message: what nobody lets through by then is for the operator. */
const POSTPONED_MS_MAX = 14 * DAY_MS;
const GROWING_SECONDS_MAX = 60;
/** As long as a channel's retries take at most: a host that is unavailable for so long is considered dead. */
const FAILING_MS_MAX = 3_600_000;

/** Returns the outcome, or the failure of a delivery that has waited too long for unresponsive hosts. */
export function settledPostponement<C extends Channel>(
  outcome: DeliveryOutcome<C>,
  postponed: Postponed | undefined,
  nowMs: number,
): DeliveryOutcome<C> {
  if (outcome.kind !== 'postponed' || !outcome.failure || !postponed) return outcome;
  if (nowMs - postponed.sinceMs < FAILING_MS_MAX) return outcome;
  return { kind: 'rejected', ...outcome.failure };
}

/**
 * True once a delivery has been postponed so often that its receives count from now on. The last receive makes it a dead letter.
 */
export function isPostponedTooLong(postponed: Postponed | undefined, nowMs: number): boolean {
  return postponed !== undefined && nowMs - postponed.sinceMs >= POSTPONED_MS_MAX;
}

/** All receives of a message fit into the time that SQS keeps it: the last receive makes it a dead letter before it expires. */
export const lastWaitSeconds = (afterSeconds: number): number => Math.min(afterSeconds, SECONDS_MAX);

/**
 * Moves a delivery to the due queue, which later puts it on its channel's queue as a new message: a wait is neither a call to the
 * provider nor a receive, and a message has a thousand receives. Waits grow, so that a long backlog is not read all the time.
 */
export async function postpone(
  { queues, jitter }: { queues: Queues; jitter: () => number },
  delivery: PostponedDelivery,
  afterSeconds: number,
  nowMs: number,
): Promise<void> {
  const growing = Math.min(GROWING_SECONDS_MAX, 2 ** Math.min(10, delivery.postponed.times));
  const waitSeconds = Math.max(afterSeconds, growing * (0.5 + jitter() / 2));
  const delaySeconds = Math.min(SECONDS_MAX, Math.max(1, Math.ceil(waitSeconds)));
  await sendAgain(queues, { again: delivery, dueAtMs: nowMs + delaySeconds * 1000 }, nowMs);
}

/** Puts a delivery that waits until its time on the due queue. */
export async function sendAgain(
  queues: Pick<Queues, 'send'>,
  body: Parameters<typeof againMessage>[0],
  nowMs: number,
): Promise<void> {
  await sendOrThrow(queues, againMessage(body, nowMs));
}

/** The message of a delivery that waits for its account's turn on the due queue, which keeps one for 15 minutes at most. */
export function turnMessage(
  { trackingId, channel, started, isReleased, accountId, isUrgent }: ReadyChannel,
  turnMs: number,
  nowMs: number,
): { queue: string; message: QueueMessage } {
  const postponed = { times: 1, calls: 0, sinceMs: nowMs };
  const again: PostponedDelivery = { trackingId, channel, ...defined({ started, isReleased }), postponed };
  return againMessage({ again, dueAtMs: turnMs, ...defined({ accountId, isUrgent }) }, nowMs);
}

/** The message of a wait of any length: the due queue passes it on until its time. */
export function againMessage(
  body: {
    again: PostponedDelivery;
    dueAtMs: number;
    accountId?: string | undefined;
    isUrgent?: boolean | undefined;
  },
  nowMs: number,
) {
  const delaySeconds = Math.min(SECONDS_MAX, Math.max(1, Math.ceil((body.dueAtMs - nowMs) / 1000)));
  return { queue: DUE_QUEUE, message: { body: messageBody(body), delaySeconds } };
}

/** The message of a postponed delivery that is due again, and its queue. */
export function postponedMessage(delivery: PostponedDelivery): { queue: string; message: QueueMessage } {
  return readyMessage({ ...delivery, routing: 'SEND' });
}

/**
 * The delivery to continue: `calls` is the number of attempts made, `unfinished` the attempt that ran out of time, `tokens` the
 * remaining tokens of a sent push.
 */
export function postponedAgain(
  before: Postponed | undefined,
  {
    calls,
    unfinished,
    tokens = before?.tokens,
  }: { calls: number; unfinished?: Unfinished | undefined; tokens?: string[] | undefined },
  nowMs: number,
): Postponed {
  const times = (before?.times ?? 0) + 1;
  return { times, calls, sinceMs: before?.sinceMs ?? nowMs, ...defined({ unfinished, tokens }) };
}

/** The attempt that this receive continues; undefined if it makes a new attempt, as each later receive of a message does. */
export function unfinishedAttempt(before: Postponed | undefined, attempt: number): Unfinished | undefined {
  return before?.calls === attempt - 1 ? before.unfinished : undefined;
}
