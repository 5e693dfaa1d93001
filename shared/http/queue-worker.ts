import type { Context, SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { queues } from '../messaging/queues.ts';
import { defined } from '../runtime/defined.ts';
import { type Dependencies, resolve, resolveAll } from '../runtime/dependency.ts';
import { log } from '../runtime/logger.ts';
import { type Invocation, invocationOf } from './invocation.ts';

/**
 * The outcome of a message: done, or to be received again after a delay. A message whose operation throws
 * waits for the visibility timeout.
 */
export type QueueOutcome = 'done' | { againSeconds: number };

/** A worker of one queue, as its frame needs it. */
export type QueueWorkerRow<B> = {
  /** Name of the queue. */
  name: string;
  /** The log line of a message that failed. */
  failed: string;
} & (
  | { /** Schema of the message's JSON. */ body: v.GenericSchema<unknown, B> }
  | { /** Reads a message in the provider's format. */ read: (text: string) => B }
);

/** One message, parsed. */
export type Received<B> = {
  body: B;
  /** Receives so far, 1 on the first. While Lambda throttles the worker, receives that it does not see count as well. */
  attempt: number;
  /** When the message was sent to the queue. */
  sentAtMs: number;
  id: string;
};

type Handler = (event: SQSEvent, context?: Context) => Promise<SQSBatchResponse>;
type Readable<B> = { record: SQSRecord; received: Received<B> };

/**
 * The SQS handler around `operation`, which gets one message and the dependencies it names. Each message fails, waits or
 * ends on its own as soon as its operation has: a batch never holds one back.
 */
export function queueWorker<B, D extends object>(
  row: QueueWorkerRow<B>,
  dependencies: Dependencies<D>,
  operation: (input: D & Received<B> & Invocation) => Promise<QueueOutcome>,
): Handler {
  return queueBatchWorker(row, dependencies, ({ messages, ...rest }) => {
    // The rest of an intersection: TypeScript does not see that only `messages` has left it.
    const input = rest as unknown as D & Invocation;
    return messages.map((message) => operation({ ...input, ...message }));
  });
}

/** As `queueWorker`, for work that is cheaper for a whole batch. Returns the outcome of each message, in their order. */
export function queueBatchWorker<B, D extends object>(
  row: QueueWorkerRow<B>,
  dependencies: Dependencies<D>,
  operation: (input: D & { messages: Received<B>[] } & Invocation) => readonly Promise<QueueOutcome>[],
): Handler {
  return async ({ Records }, context) => {
    const inputs = Records.map((record) => readRecord(row, record));
    const readable = inputs.filter((input) => 'received' in input);
    const unreadable = inputs.filter((input) => 'failure' in input).map(({ failure }) => failure);
    const failures = await run(row, readable, () => {
      const invocation = invocationOf(context);
      const messages = readable.map(({ received }) => received);
      return operation({ ...resolveAll(dependencies), ...invocation, messages });
    });
    return { batchItemFailures: [...unreadable, ...failures] };
  };
}

/** Operations that cannot even start, such as without a setting, fail every message of the batch. */
async function run<B>(
  row: QueueWorkerRow<B>,
  readable: readonly Readable<B>[],
  start: () => readonly Promise<QueueOutcome>[],
): Promise<SQSBatchItemFailure[]> {
  if (readable.length === 0) return [];
  let outcomes: readonly Promise<QueueOutcome>[];
  try {
    outcomes = start();
  } catch (error) {
    return readable.map((each) => failureOf(row, each.record, error, each.received));
  }
  const settled = readable.map((each, index) => settle(row, each, outcomes[index]));
  return (await Promise.all(settled)).filter((failure) => failure !== undefined);
}

async function settle<B>(
  row: QueueWorkerRow<B>,
  { record, received }: Readable<B>,
  outcome: Promise<QueueOutcome> | undefined,
): Promise<SQSBatchItemFailure | undefined> {
  try {
    const settled = await outcome;
    if (settled === undefined) throw new Error('the worker returned no outcome for a message');
    if (settled === 'done') return undefined;
    log.debug('a message waits', { worker: row.name, attempt: received.attempt });
    await resolve(queues).changeVisibility(row.name, record.receiptHandle, settled.againSeconds);
    return { itemIdentifier: record.messageId };
  } catch (error) {
    return failureOf(row, record, error, received);
  }
}

function failureOf(
  { name, failed }: Pick<QueueWorkerRow<unknown>, 'name' | 'failed'>,
  { messageId }: SQSRecord,
  error: unknown,
  received?: Received<unknown>,
): SQSBatchItemFailure {
  const { trackingId, channel } = namedIn(received?.body);
  const attempt = received && { attempt: received.attempt };
  log.error(
    failed,
    {
      worker: name,
      ...attempt,
      ...defined({ trackingId: trackingId || undefined, channel: channel || undefined }),
    },
    error,
  );
  const failure = { itemIdentifier: messageId };
  causes.set(failure, error);
  return failure;
}

const causes = new WeakMap<SQSBatchItemFailure, unknown>();

/** Returns why a message failed, within the process that ran the worker: Lambda only gets its ID. */
export function causeOf(failure: SQSBatchItemFailure): unknown {
  return causes.get(failure);
}

const Named = v.object({ trackingId: v.optional(v.string()), channel: v.optional(v.string()) });

function namedIn(body: unknown): v.InferOutput<typeof Named> {
  const named = v.safeParse(Named, body);
  return named.success ? named.output : {};
}

function readRecord<B>(
  row: QueueWorkerRow<B>,
  record: SQSRecord,
): Readable<B> | { failure: SQSBatchItemFailure } {
  try {
    const body = 'body' in row ? parseBody(row.body, record.body) : row.read(record.body);
    const { ApproximateReceiveCount, SentTimestamp } = record.attributes;
    const [attempt, sentAtMs] = [Number(ApproximateReceiveCount), Number(SentTimestamp)];
    return { record, received: { body, attempt, sentAtMs, id: record.messageId } };
  } catch (error) {
    return { failure: failureOf(row, record, error) };
  }
}

/** The error names fields and no values: it is logged. */
function parseBody<B>(schema: v.GenericSchema<unknown, B>, text: string): B {
  const parsed = v.safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.output;
  const names = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the body');
  throw new Error(`the message cannot be read: ${[...new Set(names)].join(', ')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the message is not JSON');
  }
}
