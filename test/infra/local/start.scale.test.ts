import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  isRunning,
  javaBelow,
  type LocalRun,
  type Run,
  spawnStart,
  startLocalRun,
} from '../../support/local-run.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'start-'));
const runs: Run[] = [];

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

/** Files below a folder that others of the machine may read. */
function modesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(root, name)).mode & 0o077) !== 0,
  );
}

/** Invokes the admin function as an AWS client does; `inBetween` runs when half of the body is sent. */
async function rawRequest(
  port: number,
  headers: Record<string, string>,
  body: string,
  inBetween: () => Promise<void> = async () => {},
): Promise<{ status: number | undefined }> {
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/2015-03-31/functions/administer-accounts/invocations',
    headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
  });
  const response = once(sent, 'response');
  await new Promise((written) => sent.write(body.slice(0, 5), written));
  await inBetween();
  sent.end(body.slice(5));
  const [{ statusCode }] = await response;
  return { status: statusCode };
}

function isRefused(port: number): Promise<boolean> {
  return new Promise((found) => {
    const socket = connect(port, '127.0.0.1', () => found(false));
    socket.on('error', () => found(true));
    socket.on('connect', () => socket.destroy());
  });
}

async function sendAndWait({ request }: LocalRun, id: string): Promise<string> {
  const body = { type: 't', to: { id, email: `${id}@example.com` }, email: { subject: 'S', html: 'h' } };
  const response = await request('/send', body);
  expect(response.status).toBe(200);
  const { trackingId } = response.json;
  await until(async () => {
    const { json } = await request(`/logs/${trackingId}`);
    return json.logs[0].email_delivered_at !== undefined;
  }, 'the delivery');
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

afterAll(async () => {
  for (const { child, ended } of runs) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('the local run', () => {
  it('responds in memory once its ready file exists, delivers, prints nothing, and starts no Java', async () => {
    const service = await start();
    expect(factsOf(service)).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      secretKey: expect.stringMatching(/^nds_sk_/),
      publicKey: expect.stringMatching(/^nds_pk_/),
      accountId: expect.any(String),
      environmentId: expect.any(String),
    });
    expect(service.readyMode).toBe(0o600);
    expect(await outboxOf(service, '')).toEqual([]);
    const trackingId = await sendAndWait(service, 'ada');
    const [message, ...more] = await outboxOf(service, `trackingId=${trackingId}`);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ channel: 'EMAIL', to: ['ada@example.com'], trackingId, outcome: 'sent' });
    expect(await outboxOf(service, 'channel=SMS')).toEqual([]);
    expect(javaBelow(service.child.pid)).toEqual([]);
    expect(await stop(service, 'SIGTERM')).toBe(0);
    expect([service.output(), service.errors()]).toEqual(['', '']);
  });

  it('accepts 300 emails at once, and 200 sends on four channels and 500 emails at 16 concurrent', async () => {
    const service = await start();
    const { secretKey } = factsOf(service);
    const send = async (index: number, content: object) => {
      const response = await fetch(`${service.baseUrl}/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}` },
        body: JSON.stringify({
          type: 'load',
          to: { id: `u${index}`, email: `u${index}@example.com` },
          ...content,
        }),
      });
      await response.text();
      return response.status;
    };
    const EMAIL = { email: { subject: 'S', html: '<p>H</p>' } };
    const FOUR = {
      ...EMAIL,
      inapp: { title: 'T' },
      web_push: { title: 'T', message: 'M' },
      mobile_push: { title: 'T', message: 'M' },
    };
    const many = async (count: number, concurrent: number, content: object) => {
      const statuses: number[] = [];
      let next = 0;
      const worker = async () => {
        while (next < count) statuses.push(await send(next++, content));
      };
      await Promise.all(Array.from({ length: concurrent }, worker));
      expect(statuses).toHaveLength(count);
      return statuses.filter((status) => status !== 200);
    };
    expect(await many(300, 300, EMAIL)).toEqual([]);
    expect(await many(200, 16, FOUR)).toEqual([]);
    expect(await many(500, 16, EMAIL)).toEqual([]);
    expect(await stop(service, 'SIGTERM')).toBe(0);
  });

  it('delivers on DynamoDB Local if that is chosen, and stops its Java with it', async () => {
    const service = await start('--database', 'dynamodb-local');
    await sendAndWait(service, 'ada');
    const java = javaBelow(service.child.pid);
    expect(java).toHaveLength(1);
    expect(await stop(service, 'SIGTERM')).toBe(0);
    await until(() => !java.some(isRunning), 'Java to end');
  });

  it('keeps everything in a data folder across a restart, and excludes another run', async () => {
    const first = await start('--data', folder);
    const trackingId = await sendAndWait(first, 'ada');
    const log = (await first.request(`/logs/${trackingId}`)).json;
    const second = await refused('--data', folder, '--port', '0', '--quiet');
    expect(modesBelow(folder)).toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
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

  it('listens on loopback only, protects its local paths from other pages, and stops after requests in progress', async () => {
    const service = await start();
    const { port } = new URL(service.baseUrl);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (outside) await expect(fetch(`http://${outside.address}:${port}/status`)).rejects.toThrow();
    const admin = `${service.baseUrl}/2015-03-31/functions/administer-accounts/invocations`;
    const event = JSON.stringify({ action: 'list' });
    const form = { 'content-type': 'text/plain' };
    expect((await fetch(admin, { method: 'POST', headers: form, body: event })).status).toBe(403);
    expect((await rawRequest(Number(port), { host: 'evil.example' }, event)).status).toBe(403);
    expect((await rawRequest(Number(port), {}, event)).status).toBe(200);

    // The body's second half is sent after the signal.
    const pending = rawRequest(Number(port), {}, event, async () => {
      service.child.kill('SIGTERM');
      await until(() => isRefused(Number(port)), 'the port to close');
    });
    expect(await pending).toMatchObject({ status: 200 });
    expect(await service.ended).toBe(0);
  });

  it('warns in red on every address and requires its token for everything except the API', async () => {
    const service = await startLocalRun({ args: ['--host', '0.0.0.0'], settings: { FORCE_COLOR: '1' } });
    runs.push(service);
    expect(service.errors()).toContain('\u001b[31m');
    expect(service.errors()).toContain(service.sandboxToken);
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(service.baseUrl + path, { headers })).status;
    expect(await statusOf('/status')).toBe(200);
    expect(await statusOf('/_sandbox/messages')).toBe(403);
    expect(await statusOf('/_sandbox/messages', { 'x-sandbox-token': service.sandboxToken ?? '' })).toBe(200);
    expect(await stop(service, 'SIGTERM')).toBe(0);
  });

  it('reports in one line that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, errors, output } = await refused('--memory', '--quiet', '--port', String(port));
    server.close();
    expect([code, output]).toEqual([1, '']);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is in use`)]);
  });

  it('exits with 2 and one line when an option is wrong', async () => {
    const { code, errors } = await refused('--port', 'x');
    expect([code, errors]).toEqual([2, '--port must be a number from 0 to 65535\n']);
  });

  it.each([
    [['--host', '203.0.113.7', '--port', '0'], 'has no address 203.0.113.7'],
    [
      ['--data', import.meta.filename, '--port', '0'],
      'cannot be created or written: choose another with --data',
    ],
    [
      ['--ready-file', join(import.meta.filename, 'ready.json'), '--port', '0'],
      'cannot be written: choose another with --ready-file',
    ],
  ])('reports in one line that %j cannot be used', async (args, message) => {
    const { code, errors } = await refused(...args);
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  });

  it('exits with 1 and one line when a setting is wrong', async () => {
    const { code, errors } = await endOf(spawnStart(['--memory', '--port', '0'], { EMAIL_PROVIDER: 'smpt' }));
    expect([code, errors.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining('EMAIL_PROVIDER must be one of ses, smtp, sandbox')],
    ]);
  });

  it('reports in one line that Java is too old', async () => {
    const bin = join(folder, 'old-java');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'java'),
      '#!/bin/sh\necho \'openjdk version "11.0.22" 2024-01-16\' >&2\nexit 1\n',
      {
        mode: 0o755,
      },
    );
    const path = `${bin}:${process.env.PATH}`;
    const { code, errors } = await endOf(
      spawnStart(['--memory', '--quiet', '--port', '0', '--database', 'dynamodb-local'], { PATH: path }),
    );
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/needs Java 17 .* version 11 was found: install it/),
    ]);
  });

  it('reports in one line that the database cannot be opened', async () => {
    const data = join(folder, 'broken');
    mkdirSync(data);
    writeFileSync(join(data, 'table.sqlite'), 'no database'.repeat(1000));
    const { code, errors } = await endOf(
      spawnStart(['--data', data, '--quiet', '--port', '0', '--smtp-port', '0']),
    );
    expect([code, errors.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^The database .*table\.sqlite cannot be opened .* use another with --data\.$/)],
    ]);
  });

  it('reads its port from the file .env too', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=eighty\n');
    const { code, errors } = await endOf(spawnStart(['--memory'], {}, folder));
    expect([code, errors.trim()]).toEqual([2, 'PORT must be a number from 0 to 65535']);
  });

  it('reports in one line that Java is missing, and removes the ready file of an earlier run', async () => {
    const file = join(folder, 'ready.json');
    writeFileSync(file, '{}');
    const args = ['--memory', '--quiet', '--port', '0', '--ready-file', file, '--database', 'dynamodb-local'];
    const { code, errors } = await endOf(spawnStart(args, { PATH: folder }));
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/needs Java 17 .* none was found: install it/),
    ]);
  });

  it.each([
    ['--database dynamodb-local', 'dynamodb/key_local.db', [], 'written by DynamoDB Local'],
    ['nothing', 'table.sqlite', ['--database', 'dynamodb-local'], 'written by the embedded table'],
  ])(
    'recognizes the folder of another database, for which %s is needed',
    async (name, file, args, message) => {
      const data = join(folder, `other ${name}`);
      mkdirSync(dirname(join(data, file)), { recursive: true });
      writeFileSync(join(data, file), '');
      const { code, errors } = await refused('--data', data, '--quiet', '--port', '0', ...args);
      expect([code, errors.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]]);
    },
  );

  it('prints its options', async () => {
    const { code, output } = await refused('--help');
    expect(code).toBe(0);
    for (const option of ['--port', '--data', '--memory', '--ready-file', '--quiet', '--no-welcome']) {
      expect(output).toContain(option);
    }
  });
});
