import { Duration, type Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { queueUp } from '../functions/lanes.ts';
import { type Platform, pascalOf } from '../platform.ts';
import type { Connected, Connection, DeadLetterQueue } from './connection.ts';
import { type QueueRow, queueNameOf, queueRowOf } from './queue-address.ts';
import { isSourceUsed } from './used-sources.ts';

type Reading = {
  queue: QueueRow;
  batchSize: number;
  visibilityTimeoutSeconds: number;
  receiveCountMax: number;
  concurrencyMax?: number;
};

/** A queue with its dead letters. Only the failed messages of a batch are redelivered. */
export function connectQueue(connection: Connection<Extract<Trigger, { kind: 'queue' }>>): Connected {
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
  const dead = createQueue(stack, platform, `${id}DeadLetters`, {
    queueName,
    ...defined({ fifo: row.isFifo ? true : undefined }),
  });
  const queue = createQueue(stack, platform, `${id}Queue`, {
    queueName: queueNameOf(platform, row),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue: dead, maxReceiveCount: receiveCountMax },
    ...(row.isFifo ? FIFO : {}),
  });
  return { queue, deadLetters: { name: row.name, queueName } };
}

/** Creates a queue. The size is what senders count on, not what a new queue happens to accept. */
export function createQueue(
  stack: Stack,
  { parameters, key }: Platform,
  id: string,
  props: sqs.QueueProps,
): sqs.Queue {
  const isCustomers = parameters.queueEncryption === 'customer';
  return new sqs.Queue(stack, id, {
    encryption: isCustomers ? sqs.QueueEncryption.KMS : sqs.QueueEncryption.SQS_MANAGED,
    ...(isCustomers && { encryptionMasterKey: kms.Key.fromKeyArn(stack, `${id}Key`, key.arn) }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    ...props,
  });
}

/** Order and deduplication per group: 9,000 messages per second and more instead of 300. */
const FIFO = {
  fifo: true,
  deduplicationScope: sqs.DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;
