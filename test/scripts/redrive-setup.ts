import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { QUEUES } from '../../scripts/dead-letters.ts';
import { type FakeReply, startHttpFake } from '../support/fakes/http-fake.ts';
import { later, use } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

export const aws = later(startFakeAws);
const sqs = later(() =>
  startHttpFake(({ headers, body }) =>
    answer(String(headers['x-amz-target']).split('.')[1] ?? '', JSON.parse(body.toString('utf8'))),
  ),
);
/** Dead letters by queue name, and the moves that were started. */
export const dead = new Map<string, number>();
export const moves = new Map<
  string,
  { Status: string; ApproximateNumberOfMessagesMoved?: number; FailureReason?: string }
>();
export const started: string[] = [];
/** Messages in the queue of failed invocations, and what was sent to other queues. */
export const failed: { ReceiptHandle: string; Body: string; MessageAttributes?: object }[] = [];
export const forwarded: { queue: string; body: string }[] = [];
export const FAILED = 'notifications-dev-failed-invocations';

/** SQS as far as dead letters go: a move is under way when it was asked for once. */
function answer(action: string, input: Record<string, string>): FakeReply {
  const name = (input.QueueName ?? input.QueueUrl ?? input.SourceArn ?? '').split(/[/:]/).at(-1) ?? '';
  switch (action) {
    case 'GetQueueUrl':
      if (dead.has(name) || name.endsWith('ingest-mail'))
        return { status: 200, body: { QueueUrl: `${sqs.url}/111122223333/${name}` } };
      return {
        status: 400,
        body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'The queue does not exist.' },
      };
    case 'GetQueueAttributes': {
      const Attributes = {
        QueueArn: `arn:aws:sqs:eu-central-1:111122223333:${name}`,
        ApproximateNumberOfMessages: String(dead.get(name)),
      };
      return { status: 200, body: { Attributes } };
    }
    case 'StartMessageMoveTask':
      started.push(name);
      moves.set(name, { Status: 'RUNNING' });
      return { status: 200, body: { TaskHandle: 'h' } };
    case 'ListMessageMoveTasks': {
      const move = moves.get(name);
      if (move?.Status === 'RUNNING' && started.length > 0)
        moves.set(name, { Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: dead.get(name) ?? 0 });
      return { status: 200, body: { Results: move ? [move] : [] } };
    }
    case 'ReceiveMessage':
      return { status: 200, body: { Messages: failed.slice(0, 10).map(withChecksum) } };
    case 'DeleteMessage':
      failed.splice(
        failed.findIndex(({ ReceiptHandle }) => ReceiptHandle === input.ReceiptHandle),
        1,
      );
      return { status: 200, body: {} };
    case 'SendMessage':
      forwarded.push({ queue: name, body: input.MessageBody ?? '' });
      return { status: 200, body: { MessageId: 'm', MD5OfMessageBody: md5(input.MessageBody ?? '') } };
    default:
      return { status: 400, body: { __type: 'InvalidAction' } };
  }
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
    failed.length = 0;
    forwarded.length = 0;
    dead.set(FAILED, 0);
    for (const { name, isFifo } of QUEUES.values())
      dead.set(`notifications-dev-${name}-dead${isFifo ? '.fifo' : ''}`, 0);
    moves.clear();
    started.length = 0;
    aws.functions.clear();
    aws.refusal = undefined;
  });
}
