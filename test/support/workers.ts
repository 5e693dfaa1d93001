import type { Context, SNSEvent, SNSMessage, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { handler as getLogs } from '../../functions/logs/get-logs.ts';
import { call, type TestAccount } from './app.ts';

export type QueueHandler = (event: SQSEvent, context?: Context) => Promise<SQSBatchResponse>;

/** One message as SQS delivers it: its text or JSON, and what differs from a first receive. */
export type TestMessage = {
  body: unknown;
  attempt?: number;
  id?: string;
  handle?: string;
  sentAtMs?: number;
};

/** The event of messages with ids `m0`, `m1`, … unless they name others. Receipt handles have `r` for `m`. */
export function sqsEvent(...messages: readonly TestMessage[]): SQSEvent {
  return { Records: messages.map(sqsRecord) };
}

function sqsRecord(
  { body, attempt = 1, id: given, handle, sentAtMs = 1_790_000_000_000 }: TestMessage,
  index: number,
): SQSRecord {
  const id = given ?? `m${index}`;
  return {
    messageId: id,
    receiptHandle: handle ?? id.replace('m', 'r'),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: String(attempt),
      ApproximateFirstReceiveTimestamp: '1790000000000',
      SentTimestamp: String(sentAtMs),
      SenderId: 'AIDAEXAMPLE',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
    awsRegion: 'eu-central-1',
  };
}

/** Delivers bodies to a queue worker as one batch and returns the ids of the messages that stay on the queue. */
export async function deliver(handler: QueueHandler, ...bodies: readonly unknown[]): Promise<string[]> {
  return deliverMessages(handler, ...bodies.map((body) => ({ body })));
}

/** As `deliver`, for messages that are not on their first receive. */
export async function deliverMessages(
  handler: QueueHandler,
  ...messages: readonly TestMessage[]
): Promise<string[]> {
  const { batchItemFailures } = await handler(sqsEvent(...messages));
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

/** Publishes notifications of SNS to a function, each as a separate invocation. */
export async function publish(
  handler: (event: SNSEvent, context?: Context) => Promise<void>,
  ...texts: readonly string[]
): Promise<void> {
  for (const text of texts) {
    const Records = [
      {
        EventVersion: '1.0',
        EventSubscriptionArn: 'arn:aws:sns:eu-central-1:123456789012:events:1',
        EventSource: 'aws:sns',
        Sns: notificationOf(text),
      },
    ];
    await handler({ Records });
  }
}

/** A text that is no notification is the message of one. */
function notificationOf(text: string): SNSMessage {
  const envelope: object = text.startsWith('{"Type"') ? JSON.parse(text) : { Message: text };
  return { Type: 'Notification', MessageAttributes: {}, ...envelope } as SNSMessage;
}

/** A notification's log record, as the API returns it. */
export async function recordOf({ secret }: Pick<TestAccount, 'secret'>, trackingId: string) {
  const { json } = await call(getLogs, { key: secret.key, path: { trackingIds: trackingId } });
  return json.logs[0];
}

/** Runs `work` with settings of the environment, and restores what was there before. `undefined` unsets. */
export async function withSettings<T>(
  settings: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
  apply(settings);
  try {
    return await work();
  } finally {
    apply(before);
  }
}

function apply(settings: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
