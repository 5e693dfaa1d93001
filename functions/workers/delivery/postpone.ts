import type { DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import type { QueueMessage, Queues } from '../../../shared/messaging/queues-port.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { Postponed, PostponedDelivery } from './postponed.ts';
import { readyMessage } from './ready-message.ts';

const SECONDS_MAX = 900;
const GROWING_SECONDS_MAX = 60;
/** As long as the tries of a channel last at most: a host that rests for so long is one that does not respond. */
const FAILING_MS_MAX = 3_600_000;

/** The outcome, or the failure of a delivery that has waited for too long for hosts that do not respond. */
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
 * Hands a delivery to the due queue, which puts it on its channel's queue as new: a wait is neither a call to the provider
 * nor a receive, of which a message has twenty. Waits grow, so that a long queue of them is not read all the time.
 */
export async function postpone(
  { queues, jitter }: { queues: Queues; jitter: () => number },
  delivery: PostponedDelivery,
  afterSeconds: number,
  nowMs: number,
): Promise<void> {
  const growing = Math.min(GROWING_SECONDS_MAX, 2 ** Math.min(10, delivery.postponed.times));
  const wanted = Math.max(afterSeconds, growing * (0.5 + jitter() / 2));
  const delaySeconds = Math.min(SECONDS_MAX, Math.max(1, Math.ceil(wanted)));
  const body = messageBody({ again: delivery, dueAtMs: nowMs + delaySeconds * 1000 });
  const refused = await queues.send(DUE_QUEUE, [{ body, delaySeconds }]);
  if (refused.length > 0) throw new Error('the due queue did not accept a postponed delivery');
}

/** The message of a postponed delivery whose time has come, and its queue. */
export function postponedMessage(delivery: PostponedDelivery): { queue: string; message: QueueMessage } {
  return readyMessage({ ...delivery, routing: 'SEND' });
}

/** What to carry on: `calls` were made in all. */
export function postponedAgain(before: Postponed | undefined, calls: number, nowMs: number): Postponed {
  return { times: (before?.times ?? 0) + 1, calls, sinceMs: before?.sinceMs ?? nowMs };
}
