import { describe, expect, it } from 'vitest';
import { QUEUES } from '../../scripts/dead-letters.ts';
import { aws, dead, FAILED, failed, forwarded, moves, run, started, useFakeQueues } from './redrive-setup.ts';

useFakeQueues();

const FUNCTION = 'notifications-dev-redrive';
const RANGE = ['--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T10:00:00+01:00'];

describe('npm run redrive -- dead-letters', () => {
  it('moves the dead letters of every queue that has some, and waits for completion', async () => {
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

  it('moves those of the named queues only, and nothing in a dry run', async () => {
    dead.set('notifications-dev-deliver-email-dead.fifo', 3);
    dead.set('notifications-dev-ingest-mail-dead', 2);
    const dry = await run('dead-letters', '--dry-run');
    expect(dry.output).toMatch(/deliver-email +3 dead\ningest-mail +2 dead\n/);
    expect(started).toEqual([]);
    const { output } = await run('dead-letters', 'ingest-mail');
    expect(output).toMatch(/^ingest-mail +2 requeued\n$/);
    expect(started).toEqual(['notifications-dev-ingest-mail-dead']);
  });

  it('waits for a move that was started elsewhere', async () => {
    dead.set('notifications-dev-deliver-sms-dead.fifo', 1);
    started.push('by somebody else');
    moves.set('notifications-dev-deliver-sms-dead.fifo', { Status: 'RUNNING' });
    expect((await run('dead-letters', 'deliver-sms')).output).toMatch(/deliver-sms +1 requeued/);
    expect(started).toEqual(['by somebody else']);
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

  it('names a queue that the stage does not have', async () => {
    const { code, errors } = await run('dead-letters', 'deliver-sms', '--stage', 'nowhere');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^The queue notifications-nowhere-deliver-sms-dead\.fifo does not exist: check --stage/m,
    );
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
