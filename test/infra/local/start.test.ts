import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../crash/service.ts';
import {
  isRunning,
  javaBelow,
  type LocalRun,
  type Run,
  spawnStart,
  startLocalRun,
} from '../../support/local-run.ts';

const TEST_MS_MAX = 120_000;
const WAIT_MS_MAX = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'start-'));
const runs: Run[] = [];
afterAll(async () => {
  for (const { child, ended } of runs) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<LocalRun> {
  const service = await startLocalRun({ args });
  runs.push(service);
  return service;
}

type Refused = { code: number | null; errors: string; output: string };

const refused = (...args: string[]) => endOf(spawnStart(args));

async function endOf(run: Run): Promise<Refused> {
  runs.push(run);
  const code = await run.ended;
  return { code, errors: run.errors(), output: run.output() };
}

async function sendAndWait({ request }: LocalRun, id: string): Promise<string> {
  const body = { type: 't', to: { id, email: `${id}@example.com` }, email: { subject: 'S', html: 'h' } };
  const answer = await request('/send', body);
  expect(answer.status).toBe(200);
  const { trackingId } = answer.json;
  await until(
    async () => {
      const { json } = await request(`/logs/${trackingId}`);
      return json.logs[0].email_delivered_at !== undefined;
    },
    WAIT_MS_MAX,
    'the delivery',
  );
  return trackingId;
}

const factsOf = ({ baseUrl, secretKey, publicKey, accountId, environmentId }: LocalRun) => ({
  baseUrl,
  secretKey,
  publicKey,
  accountId,
  environmentId,
});

const outboxOf = async ({ request }: LocalRun, query: string) =>
  (await request(`/_sandbox/messages?${query}`)).json.messages;

async function stop({ child, ended }: Run, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return ended;
}

describe('the local run', () => {
  it('in memory answers when its ready file is there, delivers, prints nothing, and ends with its Java', {
    timeout: TEST_MS_MAX,
  }, async () => {
    const service = await start();
    expect(factsOf(service)).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      secretKey: expect.stringMatching(/^nds_sk_/),
      publicKey: expect.stringMatching(/^nds_pk_/),
      accountId: expect.any(String),
      environmentId: expect.any(String),
    });
    expect(await outboxOf(service, '')).toEqual([]);
    const trackingId = await sendAndWait(service, 'ada');
    const [message, ...more] = await outboxOf(service, `trackingId=${trackingId}`);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ channel: 'EMAIL', to: ['ada@example.com'], trackingId, outcome: 'sent' });
    expect(await outboxOf(service, 'channel=SMS')).toEqual([]);
    const java = javaBelow(service.child.pid);
    expect(java).toHaveLength(1);
    expect(await stop(service, 'SIGTERM')).toBe(0);
    await until(() => !java.some(isRunning), WAIT_MS_MAX, 'Java to end');
    expect([service.output(), service.errors()]).toEqual(['', '']);
  });

  it('on a folder finds everything again after a restart, and lets no other run in meanwhile', {
    timeout: TEST_MS_MAX,
  }, async () => {
    const first = await start('--data', folder);
    const trackingId = await sendAndWait(first, 'ada');
    const log = (await first.request(`/logs/${trackingId}`)).json;
    const second = await refused('--data', folder, '--port', '0', '--quiet');
    expect(second.code).toBe(1);
    expect(second.errors.trim().split('\n')).toEqual([expect.stringContaining('is in use by another run')]);
    expect(second.errors).toContain(folder);
    expect(await stop(first, 'SIGINT')).toBe(0);

    const again = await start('--data', folder);
    const { baseUrl: _old, ...known } = factsOf(first);
    expect(factsOf(again)).toMatchObject(known);
    expect((await again.request(`/logs/${trackingId}`)).json).toEqual(log);
    expect(await outboxOf(again, `trackingId=${trackingId}`)).toHaveLength(1);
    await sendAndWait(again, 'bob');
    expect(await stop(again, 'SIGTERM')).toBe(0);
  });

  it('tells in one line that the port is taken', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, errors, output } = await refused('--memory', '--quiet', '--port', String(port));
    server.close();
    expect([code, output]).toEqual([1, '']);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is taken`)]);
  });

  it.each([
    [['--port', 'x'], '--port must be a number'],
    [['--port', '65536'], '--port must be a number'],
    [['--port', ''], '--port must be a number'],
    [['--clock', 'noon'], '--clock must be an ISO 8601 time'],
    [['--clock', 'Nov 21 2026'], '--clock must be an ISO 8601 time'],
    [['--clock', '9999-01-01T00:00:00Z'], '--clock must be an ISO 8601 time'],
    [['--no-such-option'], '--no-such-option'],
  ])('tells in one line that it cannot take %j', async (args, message) => {
    const { code, errors } = await refused(...args);
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  });

  it('takes its port from a file .env as well', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=eighty\n');
    const { code, errors } = await endOf(spawnStart(['--memory'], {}, folder));
    expect([code, errors.trim()]).toEqual([1, '--port must be a number from 0 to 65535']);
  });

  it('tells in one line that Java is missing, and leaves no ready file of an earlier run', async () => {
    const file = join(folder, 'ready.json');
    writeFileSync(file, '{}');
    const args = ['--memory', '--quiet', '--port', '0', '--ready-file', file];
    const { code, errors } = await endOf(spawnStart(args, { PATH: folder }));
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/needs Java 17 .* none was found: install it/),
    ]);
  });

  it('tells its options', async () => {
    const { code, output } = await refused('--help');
    expect(code).toBe(0);
    for (const option of ['--port', '--data', '--memory', '--ready-file', '--quiet', '--no-welcome']) {
      expect(output).toContain(option);
    }
  });
});
