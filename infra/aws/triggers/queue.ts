import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Trigger } from '../../../shared/http/worker.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { queueUp } from '../lanes.ts';
import { pascalOf } from '../platform.ts';
import type { Connected, Connection, DeadLetterQueue } from './connection.ts';
import { type QueueRow, queueNameOf, queueRowOf } from './queue-address.ts';
import { isSourceUsed } from './used-sources.ts';

type QueueTrigger = Extract<Trigger, { kind: 'queue' }>;

/** A worker's settings for reading its queue. */
type Reading = {
  queue: QueueRow;
  batchSize: number;
  visibilityTimeoutSeconds: number;
  receiveCountMax: number;
  concurrencyMax?: number;
};

/** A queue with its dead letters, read in batches of which only the failed messages are redelivered. */
export function connectQueue(connection: Connection<QueueTrigger>): Connected {
  const { trigger, queues, worker, platform } = connection;
  const { batchSize, visibilityTimeoutSeconds, receiveCountMax } = trigger;
  const concurrencyMax = platform.parameters.queueConcurrency[worker.name] ?? trigger.concurrencyMax;
  return createReadQueue(connection, {
    queue: queueRowOf(queues, trigger.queue, `worker ${worker.name}`),
    batchSize,
    visibilityTimeoutSeconds,
    receiveCountMax,
    ...defined({ concurrencyMax }),
  }).connected;
}

/** Makes the queue, its dead letters and its event source. */
export function createReadQueue(
  connection: Connection,
  reading: Reading,
): { queue: sqs.Queue; connected: Connected } {
  const { stack, platform, worker } = connection;
  assertVisibility(worker.name, worker.timeoutSeconds, reading.visibilityTimeoutSeconds);
  const { queue, deadLetters } = createQueues(connection, reading);
  const connected: Connected = {
    readsFrom: reading.queue.name,
    deadLetters: [deadLetters],
    statements: [
      {
        sid: 'Reads',
        actions: [
          'sqs:ChangeMessageVisibility',
          'sqs:DeleteMessage',
          'sqs:GetQueueAttributes',
          'sqs:ReceiveMessage',
        ],
        resources: [queue.queueArn],
      },
    ],
    attach(invoked) {
      // Instances share the provider's rate between them.
      if (worker.settings?.includes('QUEUE_CONCURRENCY') && reading.concurrencyMax !== undefined) {
        invoked.addEnvironment('QUEUE_CONCURRENCY', String(reading.concurrencyMax));
      }
      const source = new lambda.CfnEventSourceMapping(stack, `${pascalOf(worker.name)}Source`, {
        functionName: invoked.functionName,
        eventSourceArn: queue.queueArn,
        batchSize: reading.batchSize,
        enabled: !platform.parameters.paused && isSourceUsed(worker.name, platform.parameters),
        functionResponseTypes: ['ReportBatchItemFailures'],
        ...(reading.concurrencyMax === undefined
          ? {}
          : { scalingConfig: { maximumConcurrency: reading.concurrencyMax } }),
      });
      queueUp(stack, 'sources', { first: source, last: source });
    },
  };
  return { queue, connected };
}

/**
 * Lambda keeps a batch for up to six timeouts while it is throttled; a message must not be redelivered
 * before.
 */
function assertVisibility(worker: string, timeoutSeconds: number, visibilityTimeoutSeconds: number): void {
  if (visibilityTimeoutSeconds >= 6 * timeoutSeconds) return;
  throw new Error(`Worker ${worker}: the visibility timeout must be at least six times the timeout`);
}

function createQueues(
  { stack, platform }: Connection,
  { queue: row, visibilityTimeoutSeconds, receiveCountMax }: Reading,
): { queue: sqs.Queue; deadLetters: DeadLetterQueue } {
  const id = pascalOf(row.name);
  const queueName = queueNameOf(platform, row, '-dead');
  const dead = new sqs.Queue(stack, `${id}DeadLetters`, {
    ...QUEUE,
    queueName,
    ...defined({ fifo: row.isFifo ? true : undefined }),
  });
  const queue = new sqs.Queue(stack, `${id}Queue`, {
    ...QUEUE,
    queueName: queueNameOf(platform, row),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue: dead, maxReceiveCount: receiveCountMax },
    ...(row.isFifo ? FIFO : {}),
  });
  return { queue, deadLetters: { name: row.name, queueName } };
}

/** Of every queue. The size is what senders count on, not what a new queue happens to accept. */
export const QUEUE = {
  encryption: sqs.QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
  maxMessageSizeBytes: 1024 * 1024,
} as const;

/** Order and deduplication per group: 9,000 messages per second and more instead of 300. */
const FIFO = {
  fifo: true,
  deduplicationScope: sqs.DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;
