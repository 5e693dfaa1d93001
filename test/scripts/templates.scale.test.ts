import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { startLocalRun } from '../support/local-run.ts';
import { patientFetch } from '../support/patient-fetch.ts';
import { useStarted } from '../support/use-started.ts';
import { runHere } from './run-here.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/templates.ts');

const run = useStarted(startLocalRun);
/** Sends the commands' requests to `run`, which creates components only while some are left to create. */
let gate: HttpFake;
let componentsLeft = Number.POSITIVE_INFINITY;
let stopped = Promise.withResolvers<void>();
const folder = mkdtempSync(join(tmpdir(), 'templates-'));
beforeAll(async () => {
  gate = await startHttpFake(async ({ method, path, headers, body }) => {
    if (method === 'POST' && path === '/components') {
      if (componentsLeft === 0) {
        stopped.resolve();
        return 'hang';
      }
      componentsLeft -= 1;
    }
    const { authorization = '' } = headers;
    const response = await patientFetch(run.baseUrl + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body.length > 0 ? { body } : {}),
    });
    return { status: response.status, body: await response.text() };
  });
});
afterAll(async () => {
  await gate.close();
  rmSync(folder, { recursive: true });
});

async function templates(...args: string[]) {
  const env = { ...process.env, NO_COLOR: '1', NDS_KEY: '' };
  const { code, output, errors } = await runHere('templates.ts', [...args, '--url', gate.url], env);
  return { code, output: output.trim(), errors: errors.trim() };
}

const htmlOf = async () => (await run.request('/notifications/a%20b/EMAIL/templates/default')).json.html;

it('pulls to files, shows and pushes changes, and undoes a rejected push completely', async () => {
  await run.request('/components', { componentId: 'footer', name: 'Footer', html: '<p>Example</p>' });
  await run.request('/types', { notificationId: 'a b', title: 'A', channels: ['EMAIL', 'SMS'] });
  const content = { templateId: 'default', subject: 'Hi', html: "<p>One</p>{% component 'footer' %}" };
  await run.request('/notifications/a%20b/EMAIL/templates', content);

  expect(await templates('pull', folder)).toMatchObject({ code: 0, errors: '' });
  const html = join(folder, 'templates/a%20b/EMAIL/default.html');
  expect(readFileSync(html, 'utf8')).toBe(content.html);
  expect(await templates('diff', folder)).toMatchObject({ code: 0, output: 'Nothing changes.' });

  writeFileSync(html, '<p>Two</p>');
  writeFileSync(join(folder, 'components/header.json'), '{"name":"Header"}\n');
  writeFileSync(join(folder, 'components/header.html'), '<h1>Header</h1>');
  const diff = await templates('diff', folder);
  expect([diff.code, diff.output.split('\n')]).toEqual([
    1,
    ['+ components/header', '~ templates/a%20b/EMAIL/default  html'],
  ]);
  expect(await templates('push', folder)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('--yes'),
  });
  expect(await htmlOf()).toBe(content.html);

  // The second template is rejected: its Liquid is not valid.
  writeFileSync(join(folder, 'templates/a%20b/EMAIL/second.json'), '{"subject":"{{ name"}\n');
  const rejected = await templates('push', folder, '--yes');
  expect([rejected.code, rejected.errors]).toEqual([1, expect.stringMatching(/^Nothing was changed: /)]);
  expect(await htmlOf()).toBe(content.html);
  expect((await run.request('/components/header')).status).toBe(400);

  rmSync(join(folder, 'templates/a%20b/EMAIL/second.json'));
  expect(await templates('push', folder, '--yes')).toMatchObject({ code: 0, errors: '' });
  expect(await htmlOf()).toBe('<p>Two</p>');
  expect((await run.request('/components/header')).status).toBe(200);
  expect(await templates('diff', folder)).toMatchObject({ code: 0 });
});

it('transfers variants and translations, which translators change in flat files', async () => {
  const locale = 'pt-BR';
  await run.request('/types', { notificationId: 'cart', title: 'Cart', channels: ['SMS'] });
  const path = '/notifications/cart/SMS/templates';
  await run.request(path, { templateId: 'a@b.c', text: "{{ 'hi' | t }}" });
  await run.request(path, { templateId: 'a@b.c', locale, text: 'Oi' });
  const messages = { html: 'key', '': undefined, hi: 'Olá {name}' };
  await fetch(`${run.baseUrl}/translations/${locale}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${run.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  expect(await templates('pull', folder)).toMatchObject({ code: 0, errors: '' });
  const variant = join(folder, 'templates/cart/SMS/a%40b.c@pt-BR.json');
  const language = join(folder, 'translations/pt-BR.json');
  expect(JSON.parse(readFileSync(variant, 'utf8'))).toEqual({ text: 'Oi' });
  expect(JSON.parse(readFileSync(language, 'utf8'))).toEqual({ html: 'key', hi: 'Olá {name}' });
  expect(await templates('diff', folder)).toMatchObject({ code: 0, output: 'Nothing changes.' });

  writeFileSync(variant, '{"text":"Olá"}\n');
  writeFileSync(language, '{"hi":"Oi {name}"}\n');
  writeFileSync(join(folder, 'translations/de.json'), '{"hi":"Hallo {name}"}\n');
  writeFileSync(join(folder, 'templates/cart/SMS/a%40b.c@de.json'), '{"text":"Hallo"}\n');
  expect(await templates('push', folder, '--yes')).toMatchObject({ code: 0, errors: '' });
  const read = async (url: string) => (await run.request(url)).json;
  expect(await read(`${path}/a%40b.c?locale=pt-BR`)).toMatchObject({ text: 'Olá', locale });
  expect(await read(`${path}/a%40b.c?locale=de`)).toMatchObject({ text: 'Hallo', default: true });
  expect(await read(`/translations/${locale}`)).toEqual({ hi: 'Oi {name}' });
  expect(await read('/translations/de')).toEqual({ hi: 'Hallo {name}' });

  // The second language is rejected, so that the first is as it was.
  writeFileSync(join(folder, 'translations/de.json'), '{"hi":"Guten Tag"}\n');
  writeFileSync(join(folder, 'translations/fr.json'), '{"hi":"Bonjour {name"}\n');
  expect((await templates('push', folder, '--yes')).errors).toContain('body.hi');
  expect(await read('/translations/de')).toEqual({ hi: 'Hallo {name}' });
  for (const each of ['de', 'fr']) rmSync(join(folder, `translations/${each}.json`));
  expect(await templates('push', folder, '--yes', '--delete')).toMatchObject({ code: 0, errors: '' });
  expect((await run.request('/translations/de')).status).toBe(400);
});

it.each([[], ['pull'], ['merge', 'x'], ['pull', 'x', 'y']])(
  '%j is a usage error in one line',
  async (...args) => {
    const { code, errors } = await templates(...args.flat());
    expect([code, errors.split('\n')]).toEqual([2, [expect.stringContaining('--help')]]);
  },
);

it('transfers the default template of each mode, and selects it again when a push is undone', async () => {
  const path = '/notifications/news/EMAIL/templates';
  await run.request('/types', { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
  for (const templateId of ['short', 'digest'])
    await run.request(path, { templateId, subject: templateId, html: '<p>x</p>' });
  expect(await templates('pull', folder)).toMatchObject({ code: 0, errors: '' });
  const file = join(folder, 'defaults/news/EMAIL.json');
  const short = { instant: 'short', hourly: 'short', daily: 'short', weekly: 'short', monthly: 'short' };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(short);
  writeFileSync(file, JSON.stringify({ ...short, daily: 'digest' }));
  expect(await templates('diff', folder)).toMatchObject({ code: 1, output: '~ defaults/news/EMAIL  daily' });
  expect(await templates('push', folder, '--yes')).toMatchObject({ code: 0, errors: '' });
  const defaultsOf = async (templateId: string) =>
    (await run.request(`${path}/${templateId}`)).json.isDefaultFor;
  expect(await defaultsOf('digest')).toMatchObject({ daily: true });

  // A default that does not exist is rejected, and nothing has changed.
  rmSync(join(folder, 'templates/news/EMAIL/digest.json'));
  rmSync(join(folder, 'templates/news/EMAIL/digest.html'));
  writeFileSync(file, JSON.stringify({ ...short, daily: 'none' }));
  expect((await templates('push', folder, '--yes', '--delete')).errors).toMatch(/^Nothing was changed: /);
  expect(await defaultsOf('digest')).toMatchObject({ daily: true });
  writeFileSync(file, JSON.stringify(short));
  expect(await templates('push', folder, '--yes', '--delete')).toMatchObject({ code: 0, errors: '' });
  expect((await run.request(`${path}/digest`)).status).toBe(400);
  expect(await templates('diff', folder)).toMatchObject({ code: 0, output: 'Nothing changes.' });
});

it('completes a push that was killed, or undoes it when it is rejected or its files are gone', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `part-${String(index).padStart(2, '0')}`);
  const isThere = async (name: string) => (await run.request(`/components/${name}`)).status === 200;
  const countThere = async () => (await Promise.all(names.map(isThere))).filter(Boolean).length;
  const journal = join(folder, '.push.json');
  const killed = async () => {
    componentsLeft = 3;
    stopped = Promise.withResolvers();
    const child = spawn(process.execPath, [SCRIPT, 'push', folder, '--yes', '--url', gate.url], {
      stdio: 'ignore',
      env: { ...process.env, NDS_KEY: '' },
    });
    const closed = once(child, 'close');
    await stopped.promise;
    child.kill('SIGKILL');
    await closed;
    componentsLeft = Number.POSITIVE_INFINITY;
    expect(existsSync(journal)).toBe(true);
    expect(await countThere()).toBe(3);
  };
  const write = (name: string) => writeFileSync(join(folder, `components/${name}.json`), '{"name":"Part"}\n');
  expect(await templates('pull', folder)).toMatchObject({ code: 0 });

  names.forEach(write);
  await killed();
  expect(await templates('pull', folder)).toMatchObject({ code: 1, errors: expect.stringContaining('push') });
  for (const name of names) rmSync(join(folder, `components/${name}.json`));
  expect(await templates('push', folder, '--yes')).toMatchObject({ code: 0 });
  expect(await countThere()).toBe(0);

  names.forEach(write);
  await killed();
  writeFileSync(join(folder, 'types/rejected.json'), '{"title":7}\n');
  expect((await templates('push', folder, '--yes')).errors).toContain('Nothing was changed: ');
  expect(await countThere()).toBe(0);
  expect(existsSync(journal)).toBe(false);

  rmSync(join(folder, 'types/rejected.json'));
  await killed();
  expect(await templates('push', folder, '--yes')).toMatchObject({ code: 0 });
  expect(await countThere()).toBe(names.length);
  expect(existsSync(journal)).toBe(false);
});

it('reports a folder without entries, and rejects what is not a folder', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  for (const options of [['diff'], ['push', '--delete', '--yes']])
    expect(await templates(options[0] ?? '', empty, ...options.slice(1))).toEqual({
      code: 2,
      output: '',
      errors: `The folder ${empty} has no entries.`,
    });
  for (const action of ['pull', 'diff', 'push'])
    expect(await templates(action, SCRIPT)).toEqual({
      code: 2,
      output: '',
      errors: `${SCRIPT} is not a folder.`,
    });
  expect(await templates('push', join(empty, 'missing'))).toMatchObject({ code: 2, output: '' });
});
