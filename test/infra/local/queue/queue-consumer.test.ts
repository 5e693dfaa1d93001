import { createHash } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalQueues } from '../../../../infra/local/queue/local-queues.ts';
import { openLocalQueues, openQueueStore } from '../../../../infra/local/queue/queue.ts';
import { consumeQueue, type QueueConsumer } from '../../../../infra/local/queue/queue-consumer.ts';
import { write } from '../../../../infra/local/queue/shared-commit.ts';

const START_MS = Date.parse('2026-03-01T00:00:00Z');
const running: { queues: LocalQueues; consumer: QueueConsumer }[] = [];

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse | undefined>;

function startConsumer(handler: (queues: LocalQueues) => Handler, options: { concurrency?: number } = {}) {
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

const bodiesOf = (event: SQSEvent) => event.Records.map((record) => record.body);

/** Starts this set-up for the tests of a file. */
function useConsumers(): void {
  afterEach(async () => {
    for (const { queues, consumer } of running.splice(0)) {
      await consumer.stop();
      queues.close();
    }
  });
}

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

/** A promise to be resolved from outside. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('moving the clock of a queue', () => {
  it('does not deliver a message again while its invocation runs', async () => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const { consumer, send, moveClock } = startConsumer(() => async (event) => {
      seen.push(...bodiesOf(event));
      await opened;
      return undefined;
    });
    send('a');
    await expect.poll(() => seen).toEqual(['a']);
    moveClock(3600);
    send('b');
    await expect.poll(() => seen).toEqual(['a', 'b']);
    open();
    await consumer.drain();
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('a running consumer', () => {
  it('never exceeds its concurrency, and delivers 1,000 messages once each', async () => {
    let now = 0;
    let most = 0;
    const seen: string[] = [];
    const { consumer, send } = startConsumer(() => async (event) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resume) => setImmediate(resume));
      seen.push(...bodiesOf(event));
      now -= 1;
      return undefined;
    });
    const bodies = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    send(...bodies);
    await consumer.drain();
    expect(most).toBe(2);
    expect(seen.sort()).toEqual(bodies.sort());
    expect(consumer.isIdle()).toBe(true);
  });

  it('stops after the running invocations, applies their responses and receives no more', async () => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const { consumer, queues, send } = startConsumer(() => async (event) => {
      seen.push(...bodiesOf(event));
      await opened;
      return undefined;
    });
    send('a');
    await expect.poll(() => seen).toEqual(['a']);
    const stopped = consumer.stop();
    send('b');
    open();
    await stopped;
    await consumer.drain();
    expect(seen).toEqual(['a']);
    expect(queues.depth('work')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
  });
});
