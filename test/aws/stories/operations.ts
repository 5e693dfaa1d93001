import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { startReceiver } from '../../functions/workers/webhooks/receiver.ts';
import { builtClient } from '../../support/built-client.ts';
import { Webhook } from '../../support/webhook.ts';
import { type Account, openAccount, until } from '../account.ts';
import { type Output, STAGE, type World } from '../world.ts';
import { EMAIL } from './sending.ts';

const EMAIL_TO = { id: 'ada', email: 'ada@example.com' };

export function succeeded({ code, stdout, stderr }: Output): string {
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

/** A deployment that was just made has no changes. */
export async function dryRun(world: World): Promise<void> {
  expect(succeeded(await world.deploy('--dry-run'))).toMatch(/\nChanges\n {2}none\n/);
}

/** While it is paused, a deployment accepts and sends nothing; what waited is sent afterwards, also from dead letters. */
export async function pauseAndRedrive(world: World): Promise<void> {
  const account = await openAccount(world, 'pause');
  const from = new Date(Date.now() - 1000).toISOString();
  succeeded(await world.run('pause', '--stage', STAGE));
  const trackingId = await account.send({ type: 'paused', to: EMAIL_TO, email: EMAIL });
  await world.settle();
  expect(await account.log(trackingId)).not.toHaveProperty('email_sent_at');
  succeeded(await world.run('pause', '--resume', '--stage', STAGE));
  await account.logged(trackingId, 'email_sent_at');
  succeeded(await world.run('redrive', 'notifications', '--from', from, '--stage', STAGE));
  succeeded(await world.run('redrive', 'dead-letters', '--stage', STAGE));
  const failed = ['failed', '--account', account.accountId, '--from', from, '--dry-run'];
  succeeded(await world.run('redrive', ...failed, '--stage', STAGE));
  const day = new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10);
  succeeded(await world.run('redrive', 'usage', '--from', day, '--dry-run', '--stage', STAGE));
}

/** A restored table gets the log since the backup. */
export async function restore(world: World): Promise<void> {
  const [table = ''] = await world.resources('data', 'AWS::DynamoDB::Table');
  await new DynamoDBClient(world.caller).send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: 'restored',
      UseLatestRestorableTime: true,
    }),
  );
  succeeded(await world.run('pause', '--stage', STAGE));
  succeeded(await world.run('restore', '--stage', STAGE, '--table', 'restored'));
  succeeded(await world.run('pause', '--resume', '--stage', STAGE));
}

/** The commands of a developer work against the API: logs, templates, import, listen, and the studio. */
export async function commands(world: World): Promise<void> {
  const account = await openAccount(world, 'commands');
  const api = ['--url', world.baseUrl, '--key', account.secretKey];
  await Promise.all([
    followsLogs(world, account, api),
    pushesTemplates(world, account, api),
    imports(world, account, api),
    showsStudio(world, account),
  ]);
  await listens(world, account, api);
}

async function followsLogs(world: World, account: Account, api: string[]): Promise<void> {
  const child = world.start('logs', '--follow', '--json', ...api);
  try {
    const lines: string[] = [];
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const trackingId = await account.send({ type: 'followed', to: EMAIL_TO, email: EMAIL });
    await until('the log', async () => ({
      value: lines,
      isDone: lines.some((line) => line.includes(trackingId) && line.includes('email_sent_at')),
    }));
    const range = { from: '2020-01-01T00:00:00Z', to: new Date(Date.now() + 60_000).toISOString() };
    const page = await world.invoke('explain', { accountId: account.accountId, ...range });
    expect(JSON.stringify(page)).toContain('"accepted":');
  } finally {
    child.kill('SIGINT');
  }
}

async function pushesTemplates(world: World, account: Account, api: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    await account.ask('POST', '/types', { notificationId: 'order', title: 'Order', channels: ['SMS'] });
    succeeded(await world.run('templates', 'pull', folder, ...api));
    const file = join(folder, 'types/order.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Order"', '"Your order"'));
    succeeded(await world.run('templates', 'push', folder, '--yes', ...api));
    expect((await account.ask('GET', '/types/order')).json).toMatchObject({ title: 'Your order' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function imports(world: World, account: Account, api: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    const file = join(folder, 'users.csv');
    writeFileSync(file, 'id,email\ncarol,carol@example.com\n');
    succeeded(await world.run('../import/import', 'csv', file, '--apply', ...api));
    expect((await account.ask('GET', '/users/carol')).json).toMatchObject({ email: 'carol@example.com' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function showsStudio(world: World, account: Account): Promise<void> {
  const child = world.start('studio', '--url', world.baseUrl, '--key', account.secretKey);
  try {
    const [line] = child.stdout ? await once(child.stdout, 'data') : [''];
    const [url = ''] = /http:\S+/.exec(String(line)) ?? [];
    const exchanged = await fetch(url, { redirect: 'manual' });
    const cookie = String(exchanged.headers.get('set-cookie')).split(';')[0] ?? '';
    const asked = async (path: string) => fetch(new URL(path, url), { headers: { cookie } });
    expect(await (await asked('/')).text()).toContain('<html');
    const users = await asked('/_sandbox/studio/api/users');
    expect([users.status, await users.json()]).toEqual([200, { users: expect.any(Array) }]);
  } finally {
    child.kill('SIGINT');
  }
}

/** Events of a deployed stage reach a process on this machine, and the webhook is as before afterwards. */
async function listens(world: World, account: Account, api: string[]): Promise<void> {
  const [own, tunnel] = [await startReceiver(), await startReceiver()];
  const events = ['EMAIL_DELIVERED'];
  await account.ask('PUT', '/webhooks/events', { webhook: 'https://shop.example.com/hook', events });
  const child = world.start(
    'listen',
    ...['--json', '--forward', own.url, '--events', 'EMAIL_DELIVERED', ...api],
    ...['--public-url', tunnel.url],
  );
  try {
    const [line] = child.stdout ? await once(child.stdout, 'data') : [''];
    const { secret, port } = JSON.parse(String(line));
    tunnel.relayTo(`http://127.0.0.1:${port}/`);
    // Workers read a new webhook after some seconds.
    await until('the event', async () => {
      await account.send({ type: 'heard', to: EMAIL_TO, email: EMAIL });
      await sleep(1500);
      return { value: own.received, isDone: own.received.length > 0 };
    });
    const [{ headers, body }] = own.received as [(typeof own.received)[number]];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ eventType: 'EMAIL_DELIVERED' });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect((await account.ask('GET', '/webhooks/events')).json.webhook).toBe('https://shop.example.com/hook');
  } finally {
    child.kill('SIGKILL');
    await Promise.all([own.close(), tunnel.close()]);
  }
}

/** The client from its package shows a new in-app notification over the WebSocket. */
export async function inbox(world: World): Promise<void> {
  const account = await openAccount(world, 'inbox');
  const { createInbox } = await import(join(await builtClient(), 'inbox.js'));
  const { clientId, clientSecret } = await account.environment();
  const inboxOf = createInbox({
    baseUrl: world.baseUrl,
    key: account.publicKey,
    user: { id: 'ada', hash: userHashOf(clientSecret, 'ada') },
    envId: clientId,
    socketUrl: world.websocketUrl,
    // Like the pings that keep a connection open.
    WebSocket: class extends WebSocket {
      constructor(url: string) {
        super(url);
        this.addEventListener('open', () => this.send('ping'));
      }
    },
  });
  try {
    await until('the connection', async () => {
      const value = inboxOf.getState();
      return { value, isDone: value.isLive };
    });
    await account.send({ type: 'news', to: { id: 'ada' }, inapp: { title: 'Just now' } });
    await until('the notification', async () => {
      const value = inboxOf.getState();
      return { value, isDone: JSON.stringify(value.items).includes('Just now') };
    });
  } finally {
    inboxOf.close();
  }
}

/** A user is erased everywhere; then the account, with its files. */
async function exported(world: World, account: Account, trackingId: string): Promise<void> {
  await account.ask('POST', '/users/ada/export', {});
  const { url } = await until('the export', async () => {
    const { json } = await account.ask('GET', '/users/ada/export');
    return { value: json, isDone: json.state === 'ready' };
  });
  const { status, text } = await world.request('GET', `/exports/${url.split('/exports/')[1]}`);
  expect(status).toBe(200);
  expect(text).toContain(trackingId);
}

export async function erasure(world: World): Promise<void> {
  const account = await openAccount(world, 'erasure');
  const trackingId = await account.send({ type: 'news', to: EMAIL_TO, email: EMAIL });
  await account.logged(trackingId, 'email_delivered_at');
  await exported(world, account, trackingId);
  await account.ask('DELETE', '/users/ada');
  await until('the erasure', async () => {
    const value = await account.log(trackingId);
    return { value, isDone: !/ada@example|"ada"/.test(JSON.stringify(value)) };
  });
  expect((await world.request('GET', '/users/ada', { key: account.secretKey })).status).toBe(400);
  await account.ask('POST', '/erasures', { userId: 'ada' });
  succeeded(await world.run('account', 'delete', account.accountId, '--yes', '--stage', STAGE));
  expect((await world.request('GET', '/users', { key: account.secretKey })).status).toBe(401);
}
