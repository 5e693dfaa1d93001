import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';

const STUDIO = resolve(import.meta.dirname, '../../scripts/studio.ts');

let folder: string;
let service: LocalRun;
const browser = useBrowser();
const studios: ChildProcess[] = [];
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-'));
  service = await startLocalRun({ args: ['--data', folder] });
});

beforeEach(async () => {
  page = await openPage(browser);
});

afterAll(async () => {
  for (const studio of studios) studio.kill();
  await service?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Starts `npm run studio` for the service; returns the address that it prints. */
async function startStudio(...more: string[]): Promise<string> {
  const args = [STUDIO, '--url', service.baseUrl, '--key', service.secretKey, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  studios.push(child);
  return new Promise((found) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(printed)?.[0];
      if (address) found(address);
    });
  });
}

it('shows another service through its proxy, asks before a write, and has the key nowhere in the page', async () => {
  await service.request('/users/ada', { email: 'ada@example.com' });
  const address = await startStudio();
  const received: string[] = [];
  page.on('response', async (response) => {
    received.push(JSON.stringify(response.headers()), await response.text().catch(() => ''));
  });
  page.on('request', (request) => received.push(JSON.stringify(request.headers())));
  await page.goto(`${address}#/users/ada`);
  await page.getByText(new URL(service.baseUrl).host).first().waitFor();
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  const contact = page.locator('header').filter({ hasText: 'Contact data' });
  await contact.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByText('POST /users/ada').waitFor();
  expect((await service.request('/users/ada')).json.email).toBe('ada@example.com');
  await page.getByRole('button', { name: 'Change it' }).click();
  await expect.poll(async () => (await service.request('/users/ada')).json.email).toBe('ada@example.org');
  const stored = await page.evaluate<string>(
    'document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
  );
  expect(received.length).toBeGreaterThan(4);
  expect(page.url()).not.toContain('token');
  expect([...received, stored].filter((text) => text.includes(service.secretKey))).toEqual([]);
});

it('disables what a read-only studio does not pass on', async () => {
  const bounced = 'permanent-no-email-bounce@sandbox.test';
  const email = { subject: 'Bounces', html: '<p>x</p>' };
  await service.request('/send', { type: 'bouncing', to: { id: 'bea', email: bounced }, email });
  await expect
    .poll(async () => (await service.request('/users/bea')).json.emailSuppressionStatus)
    .toBeDefined();
  const address = await startStudio('--read-only');
  await page.goto(`${address}#/users/bea`);
  for (const name of ['Lift the suppression', 'Erase', 'Save'])
    expect(await page.getByRole('button', { name, exact: true }).first().isDisabled(), name).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Email' }).isDisabled()).toBe(true);
  await page.goto(`${address}#/types/bouncing`);
  await page.getByRole('heading', { name: 'bouncing', exact: true }).waitFor();
  const enabled = page.locator('.page').locator('button:enabled, input:enabled, select:enabled');
  expect(await enabled.evaluateAll((list) => list.map((each) => each.outerHTML))).toEqual([]);
  const template = { templateId: 'first', subject: 'First', html: '<p>x</p>' };
  await service.request('/notifications/bouncing/EMAIL/templates', template);
  await page.goto(`${address}#/types/bouncing/EMAIL/first`);
  expect(await page.getByLabel('Make it the default').isDisabled()).toBe(true);
});

it('gives nothing to a process without its cookie, and names a port in use', async () => {
  const { origin } = new URL(await startStudio());
  for (const path of ['keys', 'users', 'logs']) {
    const response = await fetch(`${origin}/_sandbox/studio/api/${path}`);
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('UNAUTHORIZED')]);
  }
  for (const target of ['//?a=b', '//', '///', '//[/x', '//example.com:99999/', '/%', '/%00?%'])
    expect([target, (await fetch(`${origin}${target}`)).status]).toEqual([target, 401]);
  const { port } = new URL(origin);
  const args = [STUDIO, '--url', service.baseUrl, '--key', service.secretKey, '--port', port];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([
    1,
    `Port ${port} is in use: choose another with --port <number>.`,
  ]);
});

it('shows a dead letter with its error, and requeues it', async () => {
  const store = new DatabaseSync(join(folder, 'local.sqlite'), { timeout: 10_000 });
  store
    .prepare(
      "INSERT INTO queue_messages (queue, id, body, sent_at, visible_at, last_error) VALUES ('deliver-sms-dead', 'dead-1', '{}', ?, ?, 'TypeError: no provider')",
    )
    .run(Date.now(), Date.now());
  store.close();
  await page.goto(`${service.baseUrl}/#/clock`);
  await page.getByRole('button', { name: '1 dead' }).click();
  await page.getByText('TypeError: no provider').waitFor();
  await page.getByRole('button', { name: 'Requeue all' }).click();
  const deadLetters = async () => {
    const listed = await fetch(`${service.baseUrl}/_sandbox/queues/deliver-sms/dead-letters`);
    return ((await listed.json()) as { deadLetters: unknown[] }).deadLetters;
  };
  await expect.poll(deadLetters).toEqual([]);
  await page.getByRole('button', { name: '1 dead' }).waitFor({ state: 'detached' });
});
