import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { QUEUES } from '../../scripts/redrive/dead-letters.ts';
import { type FakeReply, startHttpFake } from '../support/fakes/http-fake.ts';
import { later, use } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

export const aws = later(startFakeAws);
export const sqs = later(() =>
  startHttpFake(({ headers, body }) =>
    response(String(headers['x-amz-target']).split('.')[1] ?? '', JSON.parse(body.toString('utf8'))),
  ),
);
type Stored = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MessageAttributes?: object;
  Attributes?: Record<string, string>;
};
/** Messages in the dead-letter queues by name, and what was sent to other queues. */
export const dead = new Map<string, Stored[]>();
export const forwarded: Record<string, unknown>[] = [];
export const FAILED = 'notifications-dev-failed-invocations';

/** Puts messages on a dead-letter queue, as Lambda and SQS leave them: with the trace header of their last round. */
export function putDead(name: string, messages: readonly { Body: string; MessageAttributes?: object }[]) {
  const group = name.endsWith('.fifo') ? { MessageGroupId: 'g', MessageDeduplicationId: 'd' } : {};
  const trace = { AWSTraceHeader: 'Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=1:fc3b4ff1:0' };
  const stored = messages.map((message, index) => ({
    ...message,
    MessageId: `m${index}`,
    ReceiptHandle: `r${index}`,
    Attributes: { ...group, ...trace },
  }));
  dead.set(name, stored);
}

/** The queues that workers read. */
const READ = new Set(
  [...QUEUES.values()].map(({ name, isFifo }) => `notifications-dev-${name}${isFifo ? '.fifo' : ''}`),
);

/** SQS as far as dead letters go. */
function response(action: string, input: Record<string, string>): FakeReply {
  const name = (input.QueueName ?? input.QueueUrl ?? '').split('/').at(-1) ?? '';
  const messages = dead.get(name) ?? [];
  switch (action) {
    case 'GetQueueUrl':
      if (dead.has(name) || READ.has(name))
        return { status: 200, body: { QueueUrl: `${sqs.url}/111122223333/${name}` } };
      return {
        status: 400,
        body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'The queue does not exist.' },
      };
    case 'GetQueueAttributes':
      return { status: 200, body: { Attributes: { ApproximateNumberOfMessages: String(messages.length) } } };
    case 'ReceiveMessage':
      return { status: 200, body: { Messages: receive(messages, input).map(withChecksum) } };
    case 'DeleteMessage':
      dead.set(
        name,
        messages.filter(({ ReceiptHandle }) => ReceiptHandle !== input.ReceiptHandle),
      );
      return { status: 200, body: {} };
    case 'SendMessage': {
      const { QueueUrl: _, ...message } = input;
      forwarded.push({ queue: name, ...message });
      return { status: 200, body: { MessageId: 'm', MD5OfMessageBody: md5(input.MessageBody ?? '') } };
    }
    default:
      return { status: 400, body: { __type: 'InvalidAction' } };
  }
}

const received = new WeakSet<Stored>();

/** Ten messages that nobody else holds, with the attributes that were asked for. */
function receive(messages: readonly Stored[], input: Record<string, unknown>): Stored[] {
  const names = [input.MessageSystemAttributeNames ?? []].flat();
  const free = messages.filter((message) => !received.has(message)).slice(0, 10);
  for (const message of free) received.add(message);
  return free.map(({ Attributes = {}, ...message }) => ({
    ...message,
    Attributes: Object.fromEntries(Object.entries(Attributes).filter(([name]) => names.includes(name))),
  }));
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The SDK checks that the body is what SQS stored. */
function withChecksum<T extends { Body: string }>(message: T) {
  return { ...message, MD5OfBody: md5(message.Body) };
}

export const run = (...args: string[]) => aws.run('redrive.ts', args, { AWS_ENDPOINT_URL_SQS: sqs.url });

/** Starts this set-up for the tests of a file. */
export function useFakeQueues(): void {
  use(aws, sqs);
  beforeEach(() => {
    forwarded.length = 0;
    dead.set(FAILED, []);
    for (const { name, isFifo } of QUEUES.values())
      dead.set(`notifications-dev-${name}-dead${isFifo ? '.fifo' : ''}`, []);
    aws.functions.clear();
    aws.refusal = undefined;
  });
}
