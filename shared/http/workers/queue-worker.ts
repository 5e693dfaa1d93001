import type { Context, SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { messageBody, sendOrThrow } from '../../messaging/message-body.ts';
import { queues } from '../../messaging/queues.ts';
import { RECEIVES_MAX } from '../../messaging/receives.ts';
import { clock, type Dependencies, resolve, resolveAll } from '../../runtime/dependency.ts';
import { log } from '../../runtime/logger.ts';
import { recordMetrics } from '../../runtime/metrics.ts';
import { defined } from '../../runtime/values/defined.ts';
import { type Invocation, invocationOf } from '../endpoint/invocation.ts';

/**
 * The outcome of a message: done, or to be received again after a delay. A message whose operation throws
 * waits for the visibility timeout.
 */
export type QueueOutcome = 'done' | { againSeconds: number };

/** A worker of one queue, as its frame needs it. */
export type QueueWorkerRow<B> = {
  name: string;
  /** The log line of a message that failed. */
  failed: string;
  /**
   * The same queue, if it is a standard one with messages of JSON: a longer wait goes on there as a delayed copy. A message
   * whose visibility is changed stays in flight, and a queue with 120,000 of those gives no more.
   */
  waitsOn?: string;
} & (
  | { /** Schema of the message's JSON. */ body: v.GenericSchema<unknown, B> }
  | { /** Reads a message in the provider's format. */ read: (text: string) => B }
);

export type Received<B> = {
  body: B;
  /** Receives so far, 1 on the first. While Lambda throttles the worker, receives that it does not see count as well. */
  attempt: number;
  sentAtMs: number;
  id: string;
};

/** A message stays in flight for at most this wait. */
export const IN_FLIGHT_SECONDS_MAX = 60;
const DELAY_SECONDS_MAX = 900;

/** What a delayed copy knows of the messages before it. */
const Copy = v.object({
  waited: v.object({ receives: v.number(), sentAtMs: v.number(), untilMs: v.number() }),
});
type Waited = v.InferOutput<typeof Copy>['waited'];

type Handler = (event: SQSEvent, context?: Context) => Promise<SQSBatchResponse>;
type Readable<B> = { record: SQSRecord; received: Received<B>; waited?: Waited | undefined };

/**
 * The SQS handler around `operation`, which gets one message and the dependencies it lists. Each message fails, waits or ends on
 * its own as soon as its operation has: a batch never delays a message.
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
    const nowMs = resolve(clock).now();
    const known = inputs.filter((input) => 'received' in input);
    const early = known.filter(({ waited }) => waited && waited.untilMs > nowMs);
    const readable = known.filter((input) => !early.includes(input));
    const unreadable = inputs.filter((input) => 'failure' in input).map(({ failure }) => failure);
    const waiting = early.map((each) =>
      settle(row, each, Promise.resolve({ againSeconds: ((each.waited?.untilMs ?? 0) - nowMs) / 1000 })),
    );
    const failures = await run(row, readable, () => {
      const invocation = invocationOf(context);
      const messages = readable.map(({ received }) => received);
      return operation({ ...resolveAll(dependencies), ...invocation, messages });
    });
    const delayed = (await Promise.all(waiting)).filter((failure) => failure !== undefined);
    return { batchItemFailures: [...unreadable, ...delayed, ...failures] };
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
    // What waits without end becomes a dead letter by the receives of its last copy.
    const waitsOn = received.attempt < RECEIVES_MAX ? row.waitsOn : undefined;
    if (waitsOn && settled.againSeconds > IN_FLIGHT_SECONDS_MAX) {
      await sendCopy(waitsOn, record, received, settled.againSeconds);
      return undefined;
    }
    await resolve(queues).changeVisibility(row.name, record.receiptHandle, settled.againSeconds);
    return { itemIdentifier: record.messageId };
  } catch (error) {
    return failureOf(row, record, error, received);
  }
}

/** If the message survives its copy, both are received: a worker is safe to run twice. */
async function sendCopy(
  queue: string,
  { body, attributes }: SQSRecord,
  { attempt, sentAtMs }: Received<unknown>,
  afterSeconds: number,
): Promise<void> {
  const untilMs = resolve(clock).now() + afterSeconds * 1000;
  const waited: Waited = { receives: attempt, sentAtMs, untilMs };
  const message = {
    body: messageBody({ ...JSON.parse(body), waited }),
    delaySeconds: Math.min(DELAY_SECONDS_MAX, Math.ceil(afterSeconds)),
    ...defined({ groupId: attributes.MessageGroupId }),
  };
  await sendOrThrow(resolve(queues), { queue, message });
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
  recordMetrics({ MessageFault: 1 }, { operation: name });
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
    const waited = row.waitsOn ? waitedOf(record.body) : undefined;
    const attempt = Number(ApproximateReceiveCount) + (waited?.receives ?? 0);
    const sentAtMs = waited?.sentAtMs ?? Number(SentTimestamp);
    return { record, received: { body, attempt, sentAtMs, id: record.messageId }, waited };
  } catch (error) {
    return { failure: failureOf(row, record, error) };
  }
}

function waitedOf(text: string): Waited | undefined {
  const copy = v.safeParse(v.pipe(v.string(), v.parseJson(), Copy), text);
  return copy.success ? copy.output.waited : undefined;
}

/** The error lists fields without values, because it is logged. */
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
