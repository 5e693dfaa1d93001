import { hash } from 'node:crypto';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { causeOf } from '../../../shared/http/workers/queue-worker.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { lambdaContext } from '../gateway/lambda-context.ts';
import type { LocalQueues, ReceivedMessage } from './local-queues.ts';

export type QueueConsumerOptions = {
  queues: LocalQueues;
  queue: string;
  batchSize: number;
  /** Invocations at the same time. */
  concurrency: number;
  /**
   * As Lambda reads the response: the named failures stay, no response deletes all, a thrown error keeps all.
   */
  handler: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | undefined>;
  /** True while nothing is received: checked every second. */
  isPaused?: () => boolean;
  now: () => number;
  onError: (error: unknown) => void;
  /** The context's remaining time of the invocation; it is not enforced. */
  timeoutSeconds?: number;
};

export type QueueConsumer = {
  /** Checks for messages now, after the clock was moved. Sends wake it automatically. */
  wake(): void;
  /**
   * True if no invocation runs and nothing could be received now. Messages that wait for a time do not count.
   */
  isIdle(): boolean;
  drain(): Promise<void>;
  /**
   * Receives no more messages and resolves when the running invocations have ended and their responses are
   * applied.
   */
  stop(): Promise<void>;
};

/** The clock can be moved without notice. */
const LONGEST_WAIT_MS = 1000;
const ERROR_WAIT_MS = 200;

/**
 * Starts consuming: woken by sends and by messages whose delay or visibility timeout ends. Messages are held
 * while their invocation runs, so that moving the clock delivers no message twice.
 */
export function consumeQueue(options: QueueConsumerOptions): QueueConsumer {
  const { queues, queue, batchSize, concurrency, now } = options;
  const running = new Set<Promise<void>>();
  const idleWaiters: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isWoken = false;

  function isIdle(nextMs = queues.nextVisibleAtMs(queue)): boolean {
    return running.size === 0 && !((nextMs ?? Number.POSITIVE_INFINITY) <= now());
  }

  function wake(): void {
    if (isStopped || isWoken) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      poll();
    });
  }

  function poll(): void {
    clearTimeout(timer);
    if (isStopped) return;
    if (options.isPaused?.()) {
      timer = setTimeout(poll, LONGEST_WAIT_MS);
      return;
    }
    let waitMs = ERROR_WAIT_MS;
    try {
      startInvocations();
      const nextMs = queues.nextVisibleAtMs(queue);
      waitMs = waitOf(nextMs);
      if (isIdle(nextMs)) settleWaiters();
    } catch (error) {
      options.onError(error);
    }
    timer = setTimeout(poll, waitMs);
  }

  function startInvocations(): void {
    while (running.size < concurrency) {
      const messages = queues.receive(queue, batchSize, 'held');
      if (messages.length === 0) return;
      const invocation = invoke(options, messages).finally(() => {
        running.delete(invocation);
        wake();
      });
      running.add(invocation);
      if (messages.length < batchSize) return;
    }
  }

  /** If every invocation is busy, there is nothing to wait for: the end of one wakes. */
  function waitOf(nextMs: number | undefined): number {
    if (nextMs === undefined || running.size >= concurrency) return LONGEST_WAIT_MS;
    return Math.min(LONGEST_WAIT_MS, Math.max(1, nextMs - now()));
  }

  function settleWaiters(): void {
    for (const settle of idleWaiters.splice(0)) settle();
  }

  const unsubscribe = queues.onSend(queue, wake);
  wake();
  return {
    wake,
    isIdle: () => isIdle(),
    drain: () =>
      new Promise((done) => {
        if (isStopped) return done();
        idleWaiters.push(done);
        wake();
      }),
    async stop() {
      isStopped = true;
      unsubscribe();
      clearTimeout(timer);
      await Promise.all(running);
      settleWaiters();
    },
  };
}

/**
 * One invocation. It never throws: errors are reported, and the messages are redelivered. It begins when the store knows that
 * they were received: if that failed, they are received again, and nobody would know of this time.
 */
async function invoke(options: QueueConsumerOptions, messages: ReceivedMessage[]): Promise<void> {
  const { queues, queue, handler, timeoutSeconds = 30 } = options;
  const queueArn = `arn:aws:sqs:local:000000000000:${queue}`;
  const handlesOf = (list: ReceivedMessage[]) => list.map((message) => message.receiptHandle);
  let failed = messages;
  let errorOf: (message: ReceivedMessage) => unknown = () => undefined;
  try {
    await queues.committed();
  } catch (error) {
    return options.onError(error);
  }
  try {
    const event = { Records: messages.map((message) => sqsRecordOf(queueArn, message)) };
    const response = await handler(event, lambdaContext(queue, timeoutSeconds));
    failed = failedOf(messages, response);
    errorOf = ({ messageId }) => {
      const failure = response?.batchItemFailures.find(({ itemIdentifier }) => itemIdentifier === messageId);
      return failure && causeOf(failure);
    };
  } catch (error) {
    options.onError(error);
    errorOf = () => error;
  }
  try {
    for (const message of failed) {
      const error = errorOf(message);
      if (error instanceof Error)
        queues.fail(queue, message.receiptHandle, `${error.name}: ${error.message}`);
    }
    const done = messages.filter((message) => !failed.includes(message));
    if (done.length > 0) queues.delete(queue, handlesOf(done));
    if (failed.length > 0) queues.release(queue, handlesOf(failed));
  } catch (error) {
    options.onError(error);
  }
}

/** A response that lists no message of the batch, or an empty identifier, fails the whole batch, as with Lambda. */
function failedOf(messages: ReceivedMessage[], response: SQSBatchResponse | undefined): ReceivedMessage[] {
  const named = new Set((response?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier));
  const failed = messages.filter((message) => named.has(message.messageId));
  return failed.length === named.size ? failed : messages;
}

function sqsRecordOf(queueArn: string, message: ReceivedMessage): SQSRecord {
  const { groupId, deduplicationId } = message;
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAtMs),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
      ...(groupId === undefined
        ? {}
        : { MessageGroupId: groupId, SequenceNumber: String(message.sequenceNumber).padStart(20, '0') }),
      ...defined({ MessageDeduplicationId: deduplicationId }),
    },
    messageAttributes: {},
    md5OfBody: hash('md5', message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: 'local',
  };
}
