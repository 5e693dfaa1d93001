import type { Stack } from 'aws-cdk-lib';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import { nameOf, type Platform } from '../platform.ts';

/** The queues of the worker table by name. Their names are known, so no stack exports them to another. */
export type QueueRow = { name: string; isFifo: boolean };

/** The queue of events whose invocation failed, of all functions that are not invoked from a queue or stream. */
export const FAILED_INVOCATIONS = 'failed-invocations';

/** Every queue that a worker of the table reads; throws when two workers read the same. */
export function queuesOf(workers: readonly Worker[]): ReadonlyMap<string, QueueRow> {
  const rows = new Map<string, QueueRow>();
  for (const { name: worker, trigger } of workers) {
    // The stream's trigger creates the queue of its failures.
    if (trigger.kind === 'stream') rows.set(`${worker}-dead`, { name: `${worker}-dead`, isFifo: false });
    if (trigger.kind !== 'queue' && trigger.kind !== 'events') continue;
    if (rows.has(trigger.queue))
      throw new Error(`Worker ${worker}: queue ${trigger.queue} has another reader`);
    rows.set(trigger.queue, { name: trigger.queue, isFifo: trigger.kind === 'queue' && trigger.fifo });
  }
  return rows;
}

/** The queue in a row; throws with both names when no worker reads it. */
export function queueRowOf(queues: ReadonlyMap<string, QueueRow>, queue: string, row: string): QueueRow {
  const found = queues.get(queue);
  if (!found) throw new Error(`${row} sends to queue ${queue}, which no worker reads`);
  return found;
}

/** `notifications-dev-deliver-email.fifo`; dead letters: `notifications-dev-deliver-email-dead.fifo`. */
export function queueNameOf(
  platform: Pick<Platform, 'parameters'>,
  { name, isFifo }: QueueRow,
  ending = '',
): string {
  return nameOf(platform, name, `${ending}${isFifo ? '.fifo' : ''}`);
}

export function queueArnOf(stack: Stack, platform: Platform, queue: QueueRow): string {
  return stack.formatArn({ service: 'sqs', resource: queueNameOf(platform, queue) });
}

export function queueUrlOf(stack: Stack, platform: Platform, queue: QueueRow): string {
  return `https://sqs.${stack.region}.${stack.urlSuffix}/${stack.account}/${queueNameOf(platform, queue)}`;
}
