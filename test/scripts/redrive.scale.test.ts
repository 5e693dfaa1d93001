import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayRequest } from '../../infra/local/gateway/event.ts';
import { openLocalQueues } from '../../infra/local/queue/queue.ts';
import { createQueueRoutes } from '../../infra/local/sandbox/queue-routes.ts';
import { QUEUES } from '../../scripts/dead-letters.ts';
import { type FakeReply, type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { startLocalRun } from '../support/local-run.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';

const FUNCTION = 'notifications-dev-redrive';
const RANGE = ['--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T10:00:00+01:00'];

let aws: FakeAws;
let sqs: HttpFake;
/** Dead letters by queue name, and the moves that were started. */
const dead = new Map<string, number>();
const moves = new Map<
  string,
  { Status: string; ApproximateNumberOfMessagesMoved?: number; FailureReason?: string }
>();
const started: string[] = [];
/** Messages in the queue of failed invocations, and what was sent to other queues. */
const failed: { ReceiptHandle: string; Body: string; MessageAttributes?: object }[] = [];
const forwarded: { queue: string; body: string }[] = [];
const FAILED = 'notifications-dev-failed-invocations';

beforeAll(async () => {
  aws = await startFakeAws();
  sqs = await startHttpFake(({ headers, body }) =>
    answer(String(headers['x-amz-target']).split('.')[1] ?? '', JSON.parse(body.toString('utf8'))),
  );
});
afterAll(async () => {
  await sqs.close();
  await aws.close();
});
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

const run = (...args: string[]) => aws.run('redrive.ts', args, { AWS_ENDPOINT_URL_SQS: sqs.url });

describe('npm run redrive -- dead-letters', () => {
  it('moves the dead letters of every queue that has some, and waits for the end', async () => {
    dead.set('notifications-dev-deliver-email-dead.fifo', 3);
    dead.set('notifications-dev-ingest-mail-dead', 2);
    const { code, output, errors } = await run('dead-letters', '--json');
    expect(code, errors).toBe(0);
    expect(started.sort()).toEqual([
      'notifications-dev-deliver-email-dead.fifo',
      'notifications-dev-ingest-mail-dead',
    ]);
    const { queues } = JSON.parse(output);
    expect(queues).toHaveLength(QUEUES.size);
    expect(queues).toContainEqual({ queue: 'deliver-email', count: 3, moved: 3 });
    expect(queues).toContainEqual({ queue: 'deliver-sms', count: 0, moved: 0 });
  });

  it('moves those of the named queues, and nothing in a dry run', async () => {
    dead.set('notifications-dev-deliver-email-dead.fifo', 3);
    dead.set('notifications-dev-ingest-mail-dead', 2);
    const dry = await run('dead-letters', '--dry-run');
    expect(dry.output).toMatch(/deliver-email +3 dead\ningest-mail +2 dead\n/);
    expect(started).toEqual([]);
    const { output } = await run('dead-letters', 'ingest-mail');
    expect(output).toMatch(/^ingest-mail +2 requeued\n$/);
    expect(started).toEqual(['notifications-dev-ingest-mail-dead']);
  });

  it('waits for a move that somebody else started', async () => {
    dead.set('notifications-dev-deliver-sms-dead.fifo', 1);
    started.push('by somebody else');
    moves.set('notifications-dev-deliver-sms-dead.fifo', { Status: 'RUNNING' });
    expect((await run('dead-letters', 'deliver-sms')).output).toMatch(/deliver-sms +1 requeued/);
    expect(started).toEqual(['by somebody else']);
  });

  it('gives failed invocations to their function, rule target or topic again', async () => {
    const arnOf = (name: string) => `arn:aws:lambda:eu-central-1:111122223333:function:${name}`;
    const ses = 'notifications-dev-ingest-ses';
    const notification = (source: string) => ({
      Type: 'Notification',
      TopicArn: `arn:aws:sns:eu-central-1:111122223333:notifications-dev-${source}-events`,
      Message: '{}',
    });
    const bodies = [
      { requestContext: { functionArn: `${arnOf(ses)}:$LATEST` }, requestPayload: { Records: ['first'] } },
      notification('ses'),
      notification('mail'),
    ];
    failed.push(...bodies.map((body, index) => ({ ReceiptHandle: `r${index}`, Body: JSON.stringify(body) })));
    const TARGET_ARN = { DataType: 'String', StringValue: arnOf('notifications-dev-sweep') };
    failed.push({ ReceiptHandle: 'r3', Body: '{"source":"aws.events"}', MessageAttributes: { TARGET_ARN } });
    dead.set(FAILED, failed.length);
    const invoked: unknown[] = [];
    for (const name of [`${arnOf(ses)}:$LATEST`, ses, TARGET_ARN.StringValue])
      aws.functions.set(name, (event) => void invoked.push([name, event]));
    const { output, errors } = await run('dead-letters', 'failed-invocations');
    expect(output, errors).toBe('failed-invocations   4 requeued\n');
    expect(invoked).toEqual([
      [`${arnOf(ses)}:$LATEST`, { Records: ['first'] }],
      [ses, { Records: [{ Sns: notification('ses') }] }],
      [TARGET_ARN.StringValue, { source: 'aws.events' }],
    ]);
    expect(forwarded).toEqual([
      { queue: 'notifications-dev-ingest-mail', body: JSON.stringify(notification('mail')) },
    ]);
    expect(failed).toEqual([]);
  });

  it('names the queue that a stage does not have', async () => {
    const { code, errors } = await run('dead-letters', 'deliver-sms', '--stage', 'nowhere');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^The queue notifications-nowhere-deliver-sms-dead\.fifo does not exist: check --stage/m,
    );
  });
});

describe('npm run redrive -- notifications', () => {
  it('asks page by page and adds up', async () => {
    const asked: unknown[] = [];
    const pages = [
      { examined: 500, messages: { 'deliver-sms': 2 }, trackingIds: ['a', 'b'], next: { accountId: 'x' } },
      { examined: 20, messages: { 'deliver-sms': 1, 'make-ready': 1 }, trackingIds: ['c', 'd'] },
    ];
    aws.functions.set(FUNCTION, (event) => {
      asked.push(event);
      return pages[asked.length - 1];
    });
    const { code, output, errors } = await run('notifications', ...RANGE, '--dry-run', '--json');
    expect(code, errors).toBe(0);
    const range = { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T09:00:00.000Z', isDryRun: true };
    expect(asked).toEqual([range, { ...range, start: { accountId: 'x' } }]);
    expect(JSON.parse(output)).toEqual({
      examined: 520,
      messages: { 'deliver-sms': 3, 'make-ready': 1 },
      trackingIds: ['a', 'b', 'c', 'd'],
    });
  });

  it('ends with an error when the function fails', async () => {
    aws.functions.set(FUNCTION, () => {
      throw new Error('a queue did not take every message: run it again');
    });
    const { code, errors } = await run('notifications', ...RANGE);
    expect(code).toBe(1);
    expect(errors).toContain('run it again');
  });

  it('reports in one line which credentials are missing', async () => {
    aws.refusal = 'ExpiredToken';
    const { code, errors } = await run('notifications', ...RANGE);
    expect(code).toBe(3);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});

describe('npm run redrive', () => {
  it.each([
    [['dead-letters', 'nowhere'], 'The queue nowhere does not exist'],
    [['notifications'], 'needs --from'],
    [['notifications', '--from', '2026-11-20'], 'with its zone'],
    [['notifications', '--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T08:00:00Z'], 'before --to'],
  ])('rejects %j', async (args, said) => {
    const { code, errors } = await run(...args);
    expect(errors).toContain(said);
    expect(code).toBe(2);
  });

  it('explains itself without any credentials', async () => {
    const { code, output } = await run('--help');
    expect(code).toBe(0);
    expect(output).toContain('--dry-run');
  });
});

describe('npm run redrive with the local run', () => {
  it('requeues dead letters, and finds none when it runs again', async () => {
    let nowMs = 0;
    const queues = openLocalQueues({ file: ':memory:', now: () => nowMs });
    for (const { name, isFifo: fifo } of QUEUES.values()) {
      const common = { fifo, visibilityTimeoutSeconds: 30, receiveCountMax: 1 };
      queues.createQueue({ ...common, name: `${name}-dead` });
      queues.createQueue({ ...common, name, deadLetterQueue: `${name}-dead` });
    }
    queues.send('deliver-sms', [{ body: 'message', groupId: 'group', deduplicationId: 'id' }]);
    queues.receive('deliver-sms', 1);
    nowMs += 30_000;
    queues.receive('deliver-sms', 1);
    const gateway = await startHttpFake(async ({ method, path, body }) => {
      const found = await createQueueRoutes(queues)({ method, path, body } as GatewayRequest);
      return found ? { status: found.statusCode, body: found.body } : { status: 404, body: {} };
    });

    const local = () => run('dead-letters', '--local', gateway.url);
    const { output, errors } = await local();
    expect(output, errors).toMatch(/^deliver-sms +1 requeued\n$/);
    const [received] = queues.receive('deliver-sms', 1);
    expect(received).toMatchObject({ body: 'message', receiveCount: 1 });
    expect((await local()).output).toBe('There are no dead letters.\n');
    await gateway.close();
    queues.close();
  });

  it('looks at the notifications of the time', async () => {
    const local = await startLocalRun();
    const headers = { authorization: `Bearer ${local.secretKey}` };
    const message = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
    const sent = await fetch(`${local.baseUrl}/send`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
    });
    expect(sent.status).toBe(200);
    await local.request('/_sandbox/clock', { advance: 'PT3H' });
    const from = ['--from', new Date(Date.now() - 3_600_000).toISOString()];
    const { output, errors } = await run('notifications', ...from, '--json', '--local', local.baseUrl);
    expect(JSON.parse(output), errors).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await local.stop();
  }, 60_000);
});
