import { describe, expect, it } from 'vitest';
import { QUEUES } from '../../scripts/redrive/dead-letters.ts';
import { aws, dead, FAILED, forwarded, putDead, run, useFakeQueues } from './redrive-setup.ts';

useFakeQueues();

const FUNCTION = 'notifications-dev-redrive';
const RANGE = ['--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T10:00:00+01:00'];

describe('npm run redrive -- dead-letters', () => {
  it('sends the dead letters of every queue that has some again, as new messages', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => ({ Body: `{"trackingId":"t-${index}"}` }));
    putDead('notifications-dev-deliver-email-dead.fifo', bodies);
    putDead('notifications-dev-ingest-mail-dead', [{ Body: 'mail' }]);
    const { code, output, errors } = await run('dead-letters', '--json');
    expect(code, errors).toBe(0);
    const { queues } = JSON.parse(output);
    expect(queues).toHaveLength(QUEUES.size);
    expect(queues).toContainEqual({ queue: 'deliver-email', count: 12, moved: 12 });
    expect(queues).toContainEqual({ queue: 'deliver-sms', count: 0, moved: 0 });
    expect([...dead.values()].flat()).toEqual([]);
    // Without the trace header, where Lambda counts rounds, and the deduplication ID of the first message.
    expect(forwarded).toHaveLength(13);
    expect(forwarded).toContainEqual({
      queue: 'notifications-dev-deliver-email.fifo',
      MessageBody: '{"trackingId":"t-11"}',
      MessageGroupId: 'g',
      MessageDeduplicationId: 'm11',
    });
    expect(forwarded).toContainEqual({ queue: 'notifications-dev-ingest-mail', MessageBody: 'mail' });
  });

  it('moves those of the named queues only, and nothing in a dry run', async () => {
    putDead('notifications-dev-deliver-email-dead.fifo', [{ Body: '{}' }]);
    putDead('notifications-dev-ingest-mail-dead', [{ Body: 'a' }, { Body: 'b' }]);
    const dry = await run('dead-letters', '--dry-run');
    expect(dry.output).toMatch(/deliver-email +1 dead\ningest-mail +2 dead\n/);
    expect(forwarded).toEqual([]);
    const { output } = await run('dead-letters', 'ingest-mail');
    expect(output).toMatch(/^ingest-mail +2 requeued\n$/);
    expect(forwarded.map(({ queue }) => queue)).toEqual(Array(2).fill('notifications-dev-ingest-mail'));
  });

  it('passes failed invocations to their function, rule target or topic again', async () => {
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
    const TARGET_ARN = { DataType: 'String', StringValue: arnOf('notifications-dev-sweep') };
    putDead(FAILED, [
      ...bodies.map((body) => ({ Body: JSON.stringify(body) })),
      { Body: '{"source":"aws.events"}', MessageAttributes: { TARGET_ARN } },
    ]);
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
      { queue: 'notifications-dev-ingest-mail', MessageBody: JSON.stringify(notification('mail')) },
    ]);
    expect(dead.get(FAILED)).toEqual([]);
  });

  it('names failed invocations without a target, leaves them and passes on the others', async () => {
    const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:notifications-dev-sweep';
    const failed = (functionArn: string) =>
      JSON.stringify({ requestContext: { functionArn }, requestPayload: {} });
    const bodies = ['not JSON', '', '[', '{}', '"text"', failed(`${arn}-of-before`), failed(arn)];
    putDead(
      FAILED,
      bodies.map((Body) => ({ Body })),
    );
    let calls = 0;
    aws.functions.set(arn, () => void calls++);
    const { code, output, errors } = await run('dead-letters', 'failed-invocations');
    expect(code, errors).toBe(0);
    expect(output).toMatch(/^failed-invocations +1 requeued\n/);
    for (const id of ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
      expect(output).toContain(`The message ${id} stays in failed-invocations: `);
    expect(output).not.toContain('m6');
    expect(calls).toBe(1);
    expect(dead.get(FAILED)?.map(({ MessageId }) => MessageId)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  });

  it('names a queue that the stage does not have', async () => {
    const { code, errors } = await run('dead-letters', 'deliver-sms', '--stage', 'nowhere');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^The queue notifications-nowhere-deliver-sms-dead\.fifo does not exist: check --stage/m,
    );
  });
});

describe('npm run redrive -- failed', () => {
  it('adds up what an earlier run sent, and says what a dry run cannot count', async () => {
    aws.functions.set('notifications-dev-resend-failed', () => ({
      ...{ isKnown: true, examined: 3, resent: 2, before: 1, refused: { USAGE_LIMIT: 1 } },
    }));
    const args = ['failed', '--account', 'a1', ...RANGE];
    const text = (await run(...args)).output;
    expect(text).toContain(
      '8 messages of 12 failed notifications are sent again, each once.\n4 of these were',
    );
    expect(text).not.toContain('throttling');
    const dry = (await run(...args, '--dry-run')).output;
    for (const said of ['would be sent again', 'throttling', 'USAGE_LIMIT']) expect(dry).toContain(said);
  });
});

describe('npm run redrive -- notifications', () => {
  it('requests page by page and adds up', async () => {
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

  it('reports missing credentials in one line', async () => {
    aws.refusal = 'ExpiredToken';
    const { code, errors } = await run('notifications', ...RANGE);
    expect(code).toBe(3);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});
