import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../infra/local/database/dynamodb-local/launch.ts';
import { webPushPayloadOf } from '../shared/channels/message-size.ts';
import { NO_BROWSER, servePages } from './support/browser.ts';
import { builtClient } from './support/built-client.ts';
import { startLocalRun } from './support/local-run.ts';
import { openPage, startBrowser } from './support/test-browser.ts';
import { useStarted } from './support/use-started.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EXAMPLES = join(ROOT, 'examples');
const LINES_MAX = 60;

const service = useStarted(startLocalRun, 'test');
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  await builtClient();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Push services are on the internet: one that gives a new endpoint to each subscription of a page. */
const PUSH_SERVICE = `
  const stored = () => JSON.parse(localStorage.getItem('subscription') ?? 'null');
  const bytesOf = (text) => new TextEncoder().encode(text).buffer;
  const subscriptionOf = ({ endpoint, key }) => ({
    options: { applicationServerKey: localStorage.getItem('key') ? bytesOf(localStorage.getItem('key')) : new Uint8Array(key).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQ', auth: 'k8JV6sjdbhAi1n3_LDBLvA' } }),
    unsubscribe: async () => { localStorage.removeItem('key'); return true; },
  });
  PushManager.prototype.getSubscription = async () => stored() && subscriptionOf(stored());
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const made = (stored()?.made ?? 0) + 1;
    const subscription = { made, endpoint: 'https://push.example.com/' + made, key: [...new Uint8Array(applicationServerKey)] };
    localStorage.setItem('subscription', JSON.stringify(subscription));
    return subscriptionOf(subscription);
  };
`;

describe('the examples', () => {
  it('stay short, compile in strict mode, and each show a command', () => {
    const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|py)$/.test(name) && !/dist|nds|node_modules/.test(name))
      .map((name) => join(EXAMPLES, name));
    expect(files.length).toBeGreaterThan(7);
    const lengths = files.map((file) => readFileSync(file, 'utf8').split('\n').length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(LINES_MAX);
    const text = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
    const names = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? [each.name] : [],
    );
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) expect(text).toContain(`](${name}/`);
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/.bin/tsc'), '-p', EXAMPLES], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('React: shows the bell with what arrives, and the preferences', async ({ skip }) => {
    const browser = await startBrowser();
    if (!browser) return skip(NO_BROWSER);
    const { outputFiles } = await build({
      entryPoints: [join(EXAMPLES, 'react-inbox/main.tsx')],
      bundle: true,
      jsx: 'automatic',
      write: false,
      // As in a project whose node_modules has both: the client here is a link to a folder without React.
      nodePaths: [join(EXAMPLES, 'node_modules')],
    });
    const html = readFileSync(join(EXAMPLES, 'react-inbox/index.html'), 'utf8');
    const query = new URLSearchParams({
      url: service.baseUrl,
      key: service.publicKey,
      env: service.environmentId,
    });
    const site = await servePages({ [`/?${query}`]: html, '/dist/main.js': outputFiles[0]?.text ?? '' });
    const page = await openPage(browser);
    await page.goto(`${site.origin}/?${query}`);
    await page.getByRole('button', { name: 'Notifications' }).waitFor();
    await service.request('/send', { type: 'reply', to: { id: 'ada' }, inapp: { title: 'Bob replied' } });
    await page.getByRole('heading', { name: '(1) Shop' }).waitFor();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await page.locator('.entry', { hasText: 'Bob replied' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show what I get' }).click();
    await expect.poll(() => page.getByRole('group', { name: 'reply' }).count()).toBe(1);
    await browser.close();
    site.close();
  });

  it('web push: subscribes after a click, shows what arrives, and renews when the key changes', async ({
    skip,
  }) => {
    const browser = await startBrowser();
    if (!browser) return skip(NO_BROWSER);
    const { outputFiles } = await build({
      entryPoints: [join(EXAMPLES, 'web-push/main.ts')],
      bundle: true,
      write: false,
    });
    const html = readFileSync(join(EXAMPLES, 'web-push/index.html'), 'utf8');
    const query = new URLSearchParams({ url: service.baseUrl, key: service.publicKey, user: 'wanda' });
    const worker = new URLSearchParams({ baseUrl: service.baseUrl, key: service.publicKey, userId: 'wanda' });
    const site = await servePages({
      [`/?${query}`]: html,
      '/dist/main.js': outputFiles[0]?.text ?? '',
      [`/service-worker.js?${worker}`]: readFileSync(join(await builtClient(), 'service-worker.js'), 'utf8'),
    });
    const page = await openPage(browser);
    await page.context().grantPermissions(['notifications'], { origin: site.origin });
    await page.addInitScript(PUSH_SERVICE);
    await page.goto(`${site.origin}/?${query}`);
    await page.getByRole('button', { name: 'Tell me' }).click();
    await page.getByText('You will be told.').waitFor();
    const subscriptions = async () =>
      (await service.request('/users/wanda')).json.webPushTokens?.map(
        ({ sub }: { sub: { endpoint: string } }) => sub.endpoint,
      );
    expect(await subscriptions()).toEqual(['https://push.example.com/1']);

    const web_push = { title: 'Shipped', message: 'On its way', url: '/orders/7' };
    await service.request('/send', { type: 'shipped', to: { id: 'wanda' }, web_push });
    const sent = async () =>
      (await service.request('/_sandbox/messages?channel=WEB_PUSH&userId=wanda')).json.messages;
    await expect.poll(sent).toHaveLength(1);
    const payload = webPushPayloadOf((await sent())[0].message);
    const session = await page.context().newCDPSession(page);
    const registered = new Promise<string>((found) =>
      session.on(
        'ServiceWorker.workerRegistrationUpdated',
        ({ registrations: [first] }) => first && found(first.registrationId),
      ),
    );
    await session.send('ServiceWorker.enable');
    const push = { origin: site.origin, registrationId: await registered, data: JSON.stringify(payload) };
    const [own] = page.context().serviceWorkers();
    // A browser without a screen shows no notifications.
    await own?.evaluate(`registration.showNotification = async (title, { body, data }) => {
      self.shown = [...(self.shown ?? []), [title, body, data.url]];
    }`);
    await session.send('ServiceWorker.deliverPushMessage', push);
    await expect.poll(() => own?.evaluate('self.shown')).toEqual([['Shipped', 'On its way', '/orders/7']]);

    await page.evaluate(`localStorage.setItem('key', 'of another environment')`);
    await page.reload();
    await page.getByRole('button', { name: 'Tell me' }).click();
    await page.getByText('You will be told.').waitFor();
    expect(await subscriptions()).toContain('https://push.example.com/2');
    await browser.close();
    site.close();
  });

  it('Lambda: sends once for an order that arrives twice, and its stack synthesizes', async () => {
    // Next to node_modules, where Lambda's SDK is found.
    const outfile = join(ROOT, 'node_modules/.cache/example-handler.mjs');
    const entryPoints = [join(EXAMPLES, 'lambda-sender/handler.ts')];
    const external = ['@aws-sdk/*'];
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', external });
    const event = { detail: { orderId: 'A-1', customerId: 'ada', email: 'ada@example.com' } };
    const program = `const { handler } = await import(${JSON.stringify(outfile)});
const event = ${JSON.stringify(event)};
console.log(JSON.stringify([await handler(event), await handler(event)]));`;
    const env = { ...process.env, NDS_URL: service.baseUrl, NDS_KEY: service.secretKey };
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env,
    });
    const [first, second] = JSON.parse(printed);
    expect(first.trackingId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
    const out = join(folder, 'cdk.out');
    execFileSync(process.execPath, [join(EXAMPLES, 'lambda-sender/stack.ts')], {
      env: { ...process.env, CDK_OUTDIR: out },
    });
    const template = JSON.parse(readFileSync(join(out, 'OrderNotifications.template.json'), 'utf8'));
    const types = Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type);
    expect(types).toEqual(expect.arrayContaining(['AWS::Lambda::Function', 'AWS::Events::Rule']));
  });

  it('Express: checks the signature of each event, and rejects what is not signed', async () => {
    const port = String(await freePort());
    const url = `http://localhost:${port}/hook`;
    const { json } = await service.request('/types', {
      notificationId: 'x',
      title: 'x',
      channels: ['EMAIL'],
    });
    expect(json.notificationId).toBe('x');
    const saved = await fetch(`${service.baseUrl}/webhooks/events`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ webhook: url, events: ['EMAIL_DELIVERED', 'EMAIL_FAILED'] }),
    });
    const { secret } = (await saved.json()) as { secret: string };
    const env = { ...process.env, PORT: port, WEBHOOK_SECRET: secret };
    const server = spawn(process.execPath, [join(EXAMPLES, 'express-webhooks/server.ts')], { env });
    let printed = '';
    server.stdout.on('data', (chunk) => (printed += chunk));
    server.stderr.on('data', (chunk) => (printed += chunk));
    await expect.poll(() => printed).toContain('Listening');
    const { trackingId } = (
      await service.request('/send', {
        type: 'x',
        to: { id: 'bea', email: 'permanent-no-email-bounce@sandbox.test' },
        email: { subject: 'x', html: '<p>x</p>' },
      })
    ).json;
    await expect.poll(() => printed).toContain('because PERMANENT_NO_EMAIL_BOUNCE');
    expect(printed).toContain(`EMAIL_FAILED bea ${trackingId}`);
    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(forged.status).toBe(400);
    server.kill();
  });

  it('Python: the generated client sends and reads the outcome', ({ skip }) => {
    const venv = join(folder, 'venv');
    const run = (command: string, args: string[]) =>
      spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    const made = run('python3', ['-m', 'venv', venv]);
    const installed = run(join(venv, 'bin/pip'), ['install', '-q', 'openapi-python-client==0.29.1']);
    if (!process.env.CI && installed.status !== 0)
      return skip('python3 with venv cannot install the generator');
    expect([made.status, installed.status], `${made.stderr} ${installed.stderr}`).toEqual([0, 0]);
    cpSync(join(EXAMPLES, 'python/send.py'), join(folder, 'send.py'));
    const document = ['--path', join(ROOT, 'docs/openapi.json')];
    const args = ['generate', ...document, '--meta', 'none', '--output-path', join(folder, 'nds')];
    expect(run(join(venv, 'bin/openapi-python-client'), args).status).toBe(0);
    const { stdout, stderr } = spawnSync(join(venv, 'bin/python'), ['send.py'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NDS_URL: service.baseUrl, NDS_KEY: service.secretKey },
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^tracking ID [0-9a-f-]{36}\ndelivered\n$/);
  });
});
