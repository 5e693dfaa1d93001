import { defined } from '../runtime/values/defined.ts';
import { messageBody } from './message-body.ts';
import type { QueueMessage } from './queues-port.ts';

/** Time that the sweeper reads ahead. */
export const AHEAD_MS = 120_000;
/** Work that is due sooner is enqueued from the stream: the sweeper may have passed its time before the index had it. */
export const DUE_SOON_MS = AHEAD_MS + 15_000;

/**
 * A message to the due queue that arrives at its second: `pk` is the partition of the waiting item. One that
 * an operator requested is made ready even if it was due before the table was restored from a backup.
 */
export function dueMessage(
  pk: string,
  dueAtMs: number,
  nowMs: number,
  { isRequested }: { isRequested: boolean } = { isRequested: false },
): QueueMessage {
  const delaySeconds = Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000));
  return {
    // `DIGEST#<environment>`: SQS prefers groups with few messages in progress.
    groupId: pk.split('#', 2).join('#').slice(0, 128),
    body: messageBody({ pk, dueAtMs, ...defined({ isRequested: isRequested || undefined }) }),
    ...defined({ delaySeconds: delaySeconds > 0 ? delaySeconds : undefined }),
  };
}
