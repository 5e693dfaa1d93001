import type { DatabaseSync } from 'node:sqlite';
import type { DynamoDBBatchResponse, SQSBatchResponse } from 'aws-lambda';
import type { LocalQueues } from '../../infra/local/queue/local-queues.ts';
import { consumeQueue, type QueueConsumer } from '../../infra/local/queue/queue-consumer.ts';
import { openStreamClient } from '../../infra/local/stream/stream-client.ts';
import { readStream, type StreamReader } from '../../infra/local/stream/stream-reader.ts';
import type { Lambda } from './lambda.ts';
import { matchesPattern } from './patterns.ts';
import { nameOf } from './resource-policies.ts';
import type { Roles } from './roles.ts';
import type { Deployment, Resource } from './templates.ts';

/** The running event source mappings of a deployment. */
export type EventSources = {
  /** Resolves when every queue that has a reader is empty and the stream is read to its end. */
  settled(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
};

/** Creates the queues of the templates with their rules. */
export function createQueues(deployment: Deployment, queues: LocalQueues): void {
  const all = deployment.ofType('AWS::SQS::Queue');
  const ordered = all.toSorted(
    (a, b) => Number('RedrivePolicy' in a.properties) - Number('RedrivePolicy' in b.properties),
  );
  for (const { arn, properties } of ordered) {
    const { deadLetterTargetArn, maxReceiveCount = Number.MAX_SAFE_INTEGER } = properties.RedrivePolicy ?? {};
    queues.createQueue({
      name: nameOf(arn),
      fifo: properties.FifoQueue ?? false,
      visibilityTimeoutSeconds: properties.VisibilityTimeout ?? 30,
      receiveCountMax: maxReceiveCount,
      ...(deadLetterTargetArn ? { deadLetterQueue: nameOf(deadLetterTargetArn) } : {}),
    });
  }
}

/**
 * Returns the problems of the mappings before anything runs: settings that Lambda rejects (rights that the role lacks,
 * batches that the kind of queue does not have), a visibility timeout that is too small, messages that would be retried forever.
 */
export function mappingProblems(deployment: Deployment, roles: Roles): string[] {
  return mappingsOf(deployment).flatMap(({ mapping, target }) => {
    const {
      EventSourceArn: source,
      DestinationConfig,
      BatchSize = 10,
      MaximumBatchingWindowInSeconds: window = 0,
    } = mapping.properties;
    const queue = deployment.ofType('AWS::SQS::Queue').find(({ arn }) => arn === source);
    const needed = queue
      ? ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) => ({
          action,
          resource: source,
        }))
      : [
          ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((each) => ({
            action: `dynamodb:${each}`,
            resource: source,
          })),
          { action: 'sqs:SendMessage', resource: String(DestinationConfig?.OnFailure?.Destination) },
        ];
    const missing = needed.filter((asked) => !roles.allow(target.ref, asked));
    const visibilitySeconds = queue?.properties.VisibilityTimeout ?? 30;
    const neededSeconds = 6 * target.properties.Timeout + window;
    const isTooShort = queue !== undefined && visibilitySeconds < neededSeconds;
    const isFifo = queue?.properties.FifoQueue === true;
    const wrong = {
      'its FIFO queue has no batching window': isFifo && window > 0,
      'its batches have more messages than its queue allows': isFifo
        ? BatchSize > 10
        : queue !== undefined && BatchSize > 10 && window === 0,
      'its queue has no dead-letter queue': queue !== undefined && !queue.properties.RedrivePolicy,
      'its queue and its dead letters are of different kinds':
        queue?.properties.RedrivePolicy !== undefined && isFifo !== isFifoQueue(deployment, deadOf(queue)),
      'what is in the stream when its mapping is created is lost':
        queue === undefined && mapping.properties.StartingPosition !== 'TRIM_HORIZON',
    };
    return [
      ...Object.entries(wrong).flatMap(([text, isWrong]) => (isWrong ? [`${target.ref}: ${text}`] : [])),
      ...missing.map(({ action, resource }) => `${target.ref}: its role lacks ${action} on ${resource}`),
      ...(isTooShort
        ? [
            `${target.ref}: the visibility timeout of its queue, ${visibilitySeconds} s, is less than the ${neededSeconds} s of six timeouts and its batching window`,
          ]
        : []),
    ];
  });
}

const deadOf = ({ properties }: Resource): string => properties.RedrivePolicy.deadLetterTargetArn;

function isFifoQueue(deployment: Deployment, queueArn: string): boolean {
  const found = deployment.ofType('AWS::SQS::Queue').find(({ arn }) => arn === queueArn);
  return found?.properties.FifoQueue === true;
}

function mappingsOf(deployment: Deployment): { mapping: Resource; target: Resource }[] {
  return deployment.ofType('AWS::Lambda::EventSourceMapping').map((mapping) => {
    const name = mapping.properties.FunctionName;
    const plain = nameOf(String(name).replace(/:(live|\$LATEST)$/, ''));
    const target = deployment.ofType('AWS::Lambda::Function').find(({ ref }) => ref === plain);
    if (!target) throw new Error(`${mapping.id} names a missing function: ${name}`);
    return { mapping, target };
  });
}

/** Starts a reader per mapping: of queues as Lambda's pollers read them, of the table's stream. */
export function startEventSources(
  deployment: Deployment,
  options: {
    queues: LocalQueues;
    lambda: Lambda;
    store: DatabaseSync;
    dynamodbEndpoint: string;
    streamArn: string;
    now: () => number;
    problems: string[];
  },
): EventSources {
  const { queues, lambda, problems, now } = options;
  const consumers: QueueConsumer[] = [];
  const readers: StreamReader[] = [];
  for (const { mapping, target } of mappingsOf(deployment)) {
    if (mapping.properties.Enabled === false) continue;
    const {
      EventSourceArn,
      BatchSize = 10,
      MaximumBatchingWindowInSeconds = 0,
      FilterCriteria,
      FunctionResponseTypes = [],
    } = mapping.properties;
    const reportsItems = FunctionResponseTypes.includes('ReportBatchItemFailures');
    const invoke = async (event: unknown) => {
      const answer = await lambda.invoke(target.arn, event);
      const reported = Object(answer).batchItemFailures;
      // Lambda ignores the list, so the messages in it would be deleted.
      if (!reportsItems && reported)
        problems.push(`${target.ref}: its mapping does not have ReportBatchItemFailures`);
      return asFailures(answer, reportsItems);
    };
    const onError = (error: unknown) => void problems.push(`${target.ref}: ${String(error).slice(0, 400)}`);
    if (EventSourceArn.includes(':dynamodb:')) {
      readers.push(startStream(mapping, { ...options, invoke, onError }));
      continue;
    }
    consumers.push(
      consumeQueue({
        queues,
        queue: nameOf(EventSourceArn),
        queueArn: EventSourceArn,
        batchSize: BatchSize,
        // One process per function: what runs concurrently on AWS runs in turn here.
        concurrency: 1,
        gatherMs: () => MaximumBatchingWindowInSeconds * 1000,
        now,
        timeoutSeconds: target.properties.Timeout,
        onError,
        handler: async (event) => {
          const wanted = event.Records.filter((record) =>
            passes(FilterCriteria, { ...record, body: parsed(record.body) }),
          );
          return wanted.length === 0 ? undefined : invoke({ Records: wanted });
        },
      }),
    );
  }
  let isStopped = false;
  const isIdle = () => consumers.every((consumer) => consumer.isIdle());
  return {
    async settled() {
      do {
        await Promise.all(readers.map((reader) => reader.caughtUp()));
        await Promise.all(consumers.map((consumer) => consumer.drain()));
        await Promise.all(readers.map((reader) => reader.caughtUp()));
        // A stopped reader is never idle while messages wait.
      } while (!isStopped && !isIdle());
    },
    wake: () => {
      for (const consumer of consumers) consumer.wake();
    },
    async stop() {
      isStopped = true;
      await Promise.all([...consumers, ...readers].map((each) => each.stop()));
    },
  };
}

function startStream(
  { properties }: Resource,
  options: {
    queues: LocalQueues;
    store: DatabaseSync;
    dynamodbEndpoint: string;
    streamArn: string;
    invoke: (event: unknown) => Promise<DynamoDBBatchResponse | undefined>;
    onError: (error: unknown) => void;
  },
): StreamReader {
  if (!properties.BisectBatchOnFunctionError)
    throw new Error('the stream is read without bisecting failed batches');
  return readStream({
    client: openStreamClient(options.dynamodbEndpoint),
    streamArn: options.streamArn,
    store: options.store,
    batchSize: properties.BatchSize ?? 100,
    prefixes: [],
    windowSeconds: properties.TumblingWindowInSeconds ?? 0,
    ...(properties.MaximumRetryAttempts >= 0 ? { attemptsMax: properties.MaximumRetryAttempts + 1 } : {}),
    onError(error) {
      options.onError(error);
      const isGivenUp = error instanceof Error && error.message.startsWith('gave up');
      const destination = properties.DestinationConfig?.OnFailure?.Destination;
      if (isGivenUp && destination)
        options.queues.send(nameOf(destination), [
          { body: JSON.stringify({ DDBStreamBatchInfo: { streamArn: options.streamArn } }) },
        ]);
    },
    handler: async (event) => {
      const wanted = event.Records.filter((record) => passes(properties.FilterCriteria, record));
      return wanted.length === 0 ? undefined : options.invoke({ ...event, Records: wanted });
    },
  });
}

/** Any of the filters, each a pattern over the record. */
function passes(criteria: { Filters?: { Pattern: string }[] } | undefined, record: unknown): boolean {
  const filters = criteria?.Filters ?? [];
  return filters.length === 0 || filters.some(({ Pattern }) => matchesPattern(JSON.parse(Pattern), record));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Without `ReportBatchItemFailures` Lambda ignores what the handler returns: the whole batch is done. */
function asFailures(answer: unknown, reportsItems: boolean): SQSBatchResponse | undefined {
  return reportsItems && typeof answer === 'object' && answer !== null && 'batchItemFailures' in answer
    ? (answer as SQSBatchResponse)
    : undefined;
}
