import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterEach } from 'vitest';
import type { LocalQueues } from '../../../../infra/local/queue/local-queues.ts';
import { openLocalQueues } from '../../../../infra/local/queue/queue.ts';
import { consumeQueue, type QueueConsumer } from '../../../../infra/local/queue/queue-consumer.ts';

export const START_MS = Date.parse('2026-03-01T00:00:00Z');
export const running: { queues: LocalQueues; consumer: QueueConsumer }[] = [];

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse | undefined>;

export function startConsumer(
  handler: (queues: LocalQueues) => Handler,
  options: { concurrency?: number } = {},
) {
  const time = { nowMs: START_MS };
  const errors: unknown[] = [];
  const now = () => time.nowMs;
  const queues = openLocalQueues({ file: ':memory:', now });
  queues.createQueue({ name: 'dead', fifo: true, visibilityTimeoutSeconds: 30, receiveCountMax: 1 });
  queues.createQueue({
    name: 'work',
    fifo: true,
    visibilityTimeoutSeconds: 30,
    receiveCountMax: 2,
    deadLetterQueue: 'dead',
  });
  const consumer = consumeQueue({
    queues,
    queue: 'work',
    batchSize: 10,
    concurrency: 2,
    handler: handler(queues),
    now,
    onError: (error) => errors.push(error),
    ...options,
  });
  running.push({ queues, consumer });
  const send = (...bodies: string[]) =>
    queues.send(
      'work',
      bodies.map((body) => ({ body, groupId: body, deduplicationId: `d-${body}` })),
    );
  const moveClock = (seconds: number) => {
    time.nowMs += seconds * 1000;
    consumer.wake();
  };
  return { queues, consumer, errors, send, moveClock };
}

export const bodiesOf = (event: SQSEvent) => event.Records.map((record) => record.body);

/** Starts this set-up for the tests of a file. */
export function useConsumers(): void {
  afterEach(async () => {
    for (const { queues, consumer } of running.splice(0)) {
      await consumer.stop();
      queues.close();
    }
  });
}
