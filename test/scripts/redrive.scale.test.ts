import { describe, expect, it } from 'vitest';
import type { GatewayRequest } from '../../infra/local/gateway/event.ts';
import { openLocalQueues } from '../../infra/local/queue/queue.ts';
import { createQueueRoutes } from '../../infra/local/sandbox/queue-routes.ts';
import { QUEUES } from '../../scripts/redrive/dead-letters.ts';
import { startHttpFake } from '../support/fakes/http-fake.ts';
import { startLocalRun } from '../support/local-run.ts';
import { run, useFakeQueues } from './redrive-setup.ts';

useFakeQueues();

describe('npm run redrive', () => {
  it.each([
    [['dead-letters', 'nowhere'], 'The queue nowhere does not exist'],
    [['notifications'], 'needs --from'],
    [['notifications', '--from', '2026-11-20'], 'with its zone'],
    [['notifications', '--from', '2026-02-30T08:00:00Z'], 'must be an ISO 8601 time'],
    [['notifications', '--from', '2026-11-20T08:00:00Z', '--account', 'a1'], 'Only failed accepts'],
    [['usage', '--from', '2026-11-20', '--channel', 'SMS'], 'Only failed accepts'],
    [['dead-letters', '--code', '30008'], 'Only failed accepts'],
    [['notifications', '--from', '2026-11-20T08:00:00Z', '--to', '2026-11-20T08:00:00Z'], 'before --to'],
  ])('rejects %j', async (args, said) => {
    const { code, errors } = await run(...args);
    expect(errors).toContain(said);
    expect(code).toBe(2);
  });

  it('prints its help without credentials', async () => {
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
      const found = await createQueueRoutes(queues, { isPaused: false })({
        method,
        path,
        body,
      } as GatewayRequest);
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

  it('checks the notifications of the time range', async () => {
    const local = await startLocalRun();
    const message = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
    expect((await local.request('/send', message)).status).toBe(200);
    await local.request('/_sandbox/clock', { advance: 'PT3H' });
    const from = ['--from', new Date(Date.now() - 3_600_000).toISOString()];
    const { output, errors } = await run('notifications', ...from, '--json', '--local', local.baseUrl);
    expect(JSON.parse(output), errors).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await local.stop();
  });
});
