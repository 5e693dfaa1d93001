import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS } from '../../scripts/trigger/trigger-events.ts';
import { WEBHOOK_EVENTS } from '../../shared/schemas/logs/webhook.ts';
import { startLocalRun } from '../support/local-run.ts';
import { useStarted } from '../support/use-started.ts';
import { Webhook } from '../support/webhook.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');

const run = useStarted(startLocalRun);
let receiver: Server;
const received: { headers: Record<string, string>; body: string }[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  receiver.close();
});

function start(script: string, ...args: string[]) {
  const url = args.includes('--url') ? [] : ['--url', run.baseUrl];
  const child = spawn(process.execPath, [join(SCRIPTS, script), ...args, ...url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', NDS_KEY: '' },
  });
  children.push(child);
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => (texts.output += chunk));
  child.stderr.on('data', (chunk) => (texts.errors += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code, ...texts }));
  return { child, texts, ended };
}

describe('npm run listen, trigger and logs', () => {
  it('forward and show a signed triggered event, and restore the webhook', async () => {
    const before = { webhook: 'https://shop.example.com/hook', events: ['EMAIL_OPEN'] };
    await fetch(`${run.baseUrl}/webhooks/events`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${run.secretKey}` },
      body: JSON.stringify(before),
    });
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const listening = start('listen.ts', '--forward', target, '--events', 'EMAIL_FAILED,EMAIL_INBOUND');
    await expect.poll(() => listening.texts.output + listening.texts.errors).toContain('Signed with');
    const secret = /whsec_\S+/.exec(listening.texts.output)?.[0] ?? '';

    const { webhook } = (await run.request('/webhooks/events')).json;
    expect((await fetch(webhook, { method: 'POST', body: 'eventType=EMAIL_FAILED' })).status).toBe(400);
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,a' };
    const large = fetch(webhook, { method: 'POST', headers, body: Buffer.alloc(2 * 1024 * 1024) });
    await large.catch(() => 'closed');
    const forged = { method: 'POST', headers, body: '{"eventType":"EMAIL_FAILED","trackingId":"forged"}' };
    expect((await fetch(webhook, forged)).status).toBe(400);
    const other = new Webhook(`whsec_${btoa('another secret')}`);
    const signature = other.sign('b', new Date(), forged.body);
    const now = String(Math.floor(Date.now() / 1000));
    const signed = { 'webhook-id': 'b', 'webhook-timestamp': now, 'webhook-signature': signature };
    expect((await fetch(webhook, { ...forged, headers: signed })).status).toBe(400);

    expect(await start('trigger.ts', 'email_bounce').ended).toMatchObject({ code: 0, errors: '' });
    await expect.poll(() => received.length).toBe(1);
    const [event] = received;
    const verified = new Webhook(secret).verify(event?.body ?? '', event?.headers ?? {});
    expect(verified).toMatchObject({ eventType: 'EMAIL_FAILED', failureCode: 'PERMANENT_GENERAL_BOUNCE' });

    expect(await start('trigger.ts', 'EMAIL_INBOUND').ended).toMatchObject({ code: 0, errors: '' });
    await expect.poll(() => received.at(1)?.body ?? '').toContain('EMAIL_INBOUND');

    const failed = await start('logs.ts', '--failed', '--user', 'trigger-user').ended;
    expect(failed.output.trim().split('\n')).toEqual([
      expect.stringMatching(/trigger_email -> trigger-user {2}email failed PERMANENT_GENERAL_BOUNCE$/),
    ]);
    const none = await start('logs.ts', '--failed', '--user', 'nobody', '--json').ended;
    expect(none).toMatchObject({ code: 0, output: '', errors: '' });
    const unknown = await start('logs.ts', 'no-such-id').ended;
    expect(unknown).toMatchObject({ code: 0, output: '', errors: 'No notification matches.\n' });

    listening.child.kill('SIGINT');
    expect(await listening.ended).toMatchObject({ code: 0 });
    expect((await run.request('/webhooks/events')).json).toMatchObject(before);
  });

  it('listens where no webhook exists yet, and leaves none', async () => {
    await fetch(`${run.baseUrl}/webhooks/events`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${run.secretKey}` },
    });
    const listening = start('listen.ts', '--forward', 'http://127.0.0.1:4/hook', '--json');
    const lines = () => listening.texts.output.trim().split('\n');
    await expect.poll(() => listening.texts.output + listening.texts.errors).toContain('secret');
    const { webhook } = (await run.request('/webhooks/events')).json;
    const { port } = new URL(webhook);
    const body = '{"eventType":"EMAIL_OPEN","trackingId":"seen"}';
    const signature = new Webhook(JSON.parse(lines()[0] ?? '').secret).sign('c', new Date(), body);
    const now = String(Math.floor(Date.now() / 1000));
    const headers = { 'webhook-id': 'c', 'webhook-timestamp': now, 'webhook-signature': signature };
    expect((await fetch(webhook, { method: 'POST', headers, body })).status).toBe(502);
    await expect.poll(() => lines().length).toBe(2);
    expect(JSON.parse(lines()[1] ?? '')).toMatchObject({
      status: 502,
      eventType: 'EMAIL_OPEN',
      trackingId: 'seen',
    });
    const second = await start('listen.ts', '--forward', 'http://127.0.0.1:4/hook', '--port', port).ended;
    expect([second.code, second.errors]).toEqual([1, expect.stringContaining(`Port ${port} is in use`)]);
    listening.child.kill('SIGINT');
    expect(await listening.ended).toMatchObject({ code: 0, errors: '' });
    expect((await run.request('/webhooks/events')).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it.each([
    ['trigger.ts', ['EMAIL_NOTHING'], 'Pass one event'],
    ['../infra/aws/app.ts', ['--nothing'], '--help lists the options'],
    ['trigger.ts', ['--nothing'], '--help lists the options'],
    ['listen.ts', [], '--forward needs a URL'],
    ['listen.ts', ['--forward', 'http://localhost:4', '--events', 'EMAIL'], 'EMAIL is not an event'],
    ['listen.ts', ['--forward', 'ftp://localhost/hook'], '--forward needs a URL'],
    ['listen.ts', ['--forward', 'http://localhost:4', '--port', 'any'], '--port must be a number'],
    [
      'studio.ts',
      ['--key', 'k', '--url', 'http://localhost:4', '--port', '70000'],
      '--port must be a number',
    ],
    ['logs.ts', ['--since', 'now'], '--help lists the options'],
  ])('%s %j is a usage error in one line', async (script, args, message) => {
    const { code, errors } = await start(script, ...args).ended;
    expect([code, errors.trim().split('\n')]).toEqual([2, [expect.stringContaining(message)]]);
  });

  it.each([
    ['listen.ts', ['--forward', 'http://localhost:4']],
    ['logs.ts', []],
    ['trigger.ts', ['EMAIL_OPEN']],
  ])('%s %j ends with one line when nothing responds', async (script, args) => {
    const { code, errors } = await start(script, ...args, '--url', 'http://127.0.0.1:4').ended;
    expect([code, errors]).toEqual([1, expect.stringMatching(/^Nothing responds at [^\n]+\n$/)]);
  });

  it('can trigger every webhook event', () => {
    expect(WEBHOOK_EVENTS.filter((name) => !(name in EVENTS))).toEqual([]);
  });
});
