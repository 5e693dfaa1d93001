import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE } from './e2e/provider-world.ts';
import { builtClient } from './support/built-client.ts';
import { until } from './support/until.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BYTES_MAX = 12 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'local-package-'));
const nowhere = join(folder, 'nowhere');

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

beforeAll(async () => {
  await builtClient();
  run('npm', ['run', '--silent', 'build:local'], ROOT);
  mkdirSync(nowhere);
  for (const name of ['client', 'local'])
    run('npm', ['pack', '--silent', '--pack-destination', folder], join(ROOT, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  run('npm', ['install', '--silent', '--offline', ...tarballs.map((name) => `./${name}`)], folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing of the machine but Node.js. */
const ALONE = { PATH: nowhere, HOME: folder };

/** Starts what `npx notification-delivery-local` starts. */
function startPackage(...args: string[]) {
  const bin = join(folder, 'node_modules/.bin/notification-delivery-local');
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env: ALONE, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

async function stopPackage(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'close');
}

const MESSAGES = {
  EMAIL: { email: { subject: 'Hello', html: '<p>Hello</p>' } },
  INAPP_WEB: { inapp: { title: 'Hello' } },
  SMS: { sms: { message: 'Hello' } },
  CALL: { call: { message: 'Hello' } },
  PUSH: { mobile_push: { title: 'Hello', message: 'Hello' } },
  WEB_PUSH: { web_push: { title: 'Hello', message: 'Hello' } },
  CHAT: { chat: { text: 'Hello' } },
};

const ADA = {
  id: 'ada',
  email: 'ada@example.com',
  number: '+14155552671',
  pushTokens: [{ type: 'APN', token: DEVICE, environment: 'production' }],
  webPushTokens: [
    {
      sub: {
        endpoint: 'https://push.example.com/1',
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
      },
    },
  ],
  chatChannel: '#general',
  chatToken: { access_token: 'xoxb-1' },
};

describe('the package', () => {
  it('is small and has no dependencies', () => {
    const tarball = readdirSync(folder).find((name) => /local-.*\.tgz$/.test(name)) ?? '';
    expect(statSync(join(folder, tarball)).size).toBeLessThan(BYTES_MAX);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'notification-delivery-client',
      'notification-delivery-local',
    ]);
  });

  it('has the options of npm start', async () => {
    const { child, output } = startPackage('--help');
    await once(child, 'close');
    expect(output()).toBe(run(process.execPath, ['infra/local/start.ts', '--help'], ROOT));
  });

  it('sends on seven channels, and serves studio, reference and guide, in an empty folder without a PATH', async () => {
    const file = join(folder, 'ready.json');
    const { child, output } = startPackage('--port', '0', '--smtp-port', '0', '--ready-file', file);
    await until(
      () => existsSync(file) || (child.exitCode ?? child.signalCode) !== null,
      'the service to be ready',
    );
    expect(output()).not.toMatch(/Warning|Error/);
    const { baseUrl, secretKey } = JSON.parse(readFileSync(file, 'utf8'));
    const authorization = `Bearer ${secretKey}`;
    const body = {
      type: 'hello',
      to: ADA,
      forceChannels: Object.keys(MESSAGES),
      ...Object.assign({}, ...Object.values(MESSAGES)),
    };
    const response = await fetch(`${baseUrl}/send`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    const { trackingId } = (await response.json()) as { trackingId: string };
    let channels: string[] = [];
    await until(async () => {
      const sent = await fetch(`${baseUrl}/_sandbox/messages?trackingId=${trackingId}`);
      const { messages } = (await sent.json()) as { messages: { channel: string }[] };
      channels = messages.map(({ channel }) => channel);
      return new Set(channels).size === Object.keys(MESSAGES).length;
    }, 'messages on seven channels');
    const pages = {
      '/': '<!doctype html>',
      '/_sandbox/studio/main.js': 'import',
      '/docs': 'API reference',
      '/docs/js/scalar.js': 'scalar',
      '/guide': 'Documentation',
      '/guide/concepts/channels': 'seven channels',
      '/openapi.json': '"openapi"',
    };
    for (const [path, text] of Object.entries(pages)) {
      const page = await fetch(baseUrl + path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(await page.text()).toContain(text);
    }
    await stopPackage(child);
    expect(existsSync(join(folder, '.data')), 'its data are in the folder that it was started in').toBe(true);
  });

  it('is what startService finds, in the example of an app', async () => {
    copyFileSync(join(ROOT, 'examples/ci/orders.test.ts'), join(folder, 'orders.test.ts'));
    const child = spawn(process.execPath, ['--test', 'orders.test.ts'], { cwd: folder, env: ALONE });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([0, expect.stringContaining('pass 1')]);
  });
});
