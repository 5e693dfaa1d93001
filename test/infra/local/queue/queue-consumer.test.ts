import { createHash } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { openLocalQueues, openQueueStore } from '../../../../infra/local/queue/queue.ts';
import { consumeQueue } from '../../../../infra/local/queue/queue-consumer.ts';
import { write } from '../../../../infra/local/queue/shared-commit.ts';
import { bodiesOf, running, START_MS, startConsumer, useConsumers } from './consumer-setup.ts';

useConsumers();

const failuresOf = (event: SQSEvent, body: string): SQSBatchResponse => ({
  batchItemFailures: event.Records.filter((record) => record.body === body).map((record) => ({
    itemIdentifier: record.messageId,
  })),
});

it('messages are handed out once if storing that they were received fails', async () => {
  const store = openQueueStore(':memory:');
  const queues = openLocalQueues({ store, now: () => START_MS });
  queues.createQueue({ name: 'work', visibilityTimeoutSeconds: 30, receiveCountMax: 2 });
  queues.send('work', [{ body: 'hello' }]);
  await queues.committed();
  const full = new Error('the disk is full');
  const receive = queues.receive;
  let isFull = true;
  queues.receive = (...args) => {
    const received = receive(...args);
    if (isFull && received.length > 0) {
      isFull = false;
      const fail = () => {
        throw full;
      };
      queueMicrotask(() => expect(() => write(store, fail)).toThrow(full));
    }
    return received;
  };
  const handed: string[] = [];
  const errors: unknown[] = [];
  const consumer = consumeQueue({
    queues,
    queue: 'work',
    batchSize: 1,
    concurrency: 1,
    now: () => START_MS,
    onError: (error) => errors.push(error),
    handler: async (event) => void handed.push(...bodiesOf(event)),
  });
  running.push({ queues, consumer });
  await consumer.drain();
  expect([handed, errors]).toEqual([['hello'], [full]]);
});

describe('the Lambda event of a queue', () => {
  it('carries every attribute that Lambda sets for a FIFO queue', async () => {
    const events: SQSEvent[] = [];
    const { consumer, send } = startConsumer(() => async (event) => void events.push(event));
    send('hello');
    await consumer.drain();
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            receiptHandle: expect.any(String),
            body: 'hello',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: String(START_MS),
              SenderId: 'local',
              ApproximateFirstReceiveTimestamp: String(START_MS),
              MessageGroupId: 'hello',
              SequenceNumber: expect.stringMatching(/^\d{20}$/),
              MessageDeduplicationId: 'd-hello',
            },
            messageAttributes: {},
            md5OfBody: createHash('md5').update('hello').digest('hex'),
            eventSource: 'aws:sqs',
            eventSourceARN: 'arn:aws:sqs:local:000000000000:work',
            awsRegion: 'local',
          },
        ],
      },
    ]);
  });

  it("comes with a context that has the function's name and the remaining time", async () => {
    const times: number[] = [];
    const queues = openLocalQueues({ file: ':memory:', now: () => START_MS });
    queues.createQueue({ name: 'work', visibilityTimeoutSeconds: 30, receiveCountMax: 2 });
    const consumer = consumeQueue({
      queues,
      queue: 'work',
      batchSize: 1,
      concurrency: 1,
      now: () => START_MS,
      onError: () => {},
      timeoutSeconds: 20,
      handler: async (_event, context) => {
        expect(context.functionName).toBe('work');
        times.push(context.getRemainingTimeInMillis());
        return undefined;
      },
    });
    running.push({ queues, consumer });
    queues.send('work', [{ body: 'a' }]);
    await consumer.drain();
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThan(15_000);
    expect(times[0]).toBeLessThanOrEqual(20_000);
  });
});

describe('the response of a queue function', () => {
  it('keeps the messages named as failed and deletes the others', async () => {
    const seen: string[][] = [];
    const { consumer, queues, send, moveClock } = startConsumer(() => async (event) => {
      seen.push(bodiesOf(event));
      return seen.length === 1 ? failuresOf(event, 'b') : undefined;
    });
    send('a', 'b', 'c');
    await consumer.drain();
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    moveClock(30);
    await consumer.drain();
    expect(seen).toEqual([['a', 'b', 'c'], ['b']]);
    expect(queues.depth('work').inFlight).toBe(0);
  });

  it.each([
    ['names no message of the batch', [{ itemIdentifier: 'unknown' }]],
    ['has an empty identifier', [{ itemIdentifier: '' }]],
  ])('fails the whole batch when it %s', async (_case, batchItemFailures) => {
    const { consumer, queues, send } = startConsumer(() => async () => ({ batchItemFailures }));
    send('a', 'b');
    await consumer.drain();
    expect(queues.depth('work').inFlight).toBe(2);
  });

  it('fails the whole batch when it is an error, which is reported', async () => {
    const failure = new Error('no');
    const { consumer, queues, send, errors } = startConsumer(() => () => Promise.reject(failure));
    send('a', 'b');
    await consumer.drain();
    expect(errors).toEqual([failure]);
    expect(queues.depth('work').inFlight).toBe(2);
  });

  it('leaves a failed message at the time the handler set', async () => {
    const receivedAt: number[] = [];
    let elapsedSeconds = 0;
    const { consumer, send, moveClock, queues } = startConsumer((local) => async (event) => {
      receivedAt.push(elapsedSeconds);
      if (receivedAt.length > 1) return undefined;
      for (const record of event.Records) local.changeVisibility('work', record.receiptHandle, 7);
      return failuresOf(event, 'a');
    });
    send('a');
    await consumer.drain();
    for (; elapsedSeconds < 10; elapsedSeconds += 1) {
      await consumer.drain();
      moveClock(1);
    }
    await consumer.drain();
    expect(receivedAt).toEqual([0, 7]);
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('moves messages that fail too often to the dead-letter queue', async () => {
    const { consumer, queues, send, moveClock } = startConsumer(
      () => (event) => Promise.resolve(failuresOf(event, 'poison')),
    );
    send('poison', 'good');
    for (let receives = 0; receives < 3; receives += 1) {
      await consumer.drain();
      moveClock(30);
    }
    await consumer.drain();
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(queues.depth('dead').visible).toBe(1);
  });
});
