import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** What only the service rejects, not a check of the file. */
const REJECTED = 'rejected by the service';
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
    if (body.toString().includes(REJECTED))
      return {
        status: 400,
        body: JSON.stringify({ error: { code: 'INVALID_REQUEST', message: 'Rejected.' } }),
      };
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

  // Nothing is sent when a file is not valid.
  writeFileSync(join(folder, 'templates/a%20b/EMAIL/second.json'), '{"subject":"{{ name"}\n');
  expect(await templates('push', folder, '--yes')).toMatchObject({
    code: 3,
    errors: expect.stringMatching(/^templates\/a%20b\/EMAIL\/second: /),
  });
  expect((await run.request('/components/header')).status).toBe(400);

  writeFileSync(join(folder, 'templates/a%20b/EMAIL/second.json'), `{"subject":"${REJECTED}"}\n`);
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

it('creates what a hand-written file omits with its default, and finds no changes afterwards', async () => {
  const own = join(folder, '../', `own-${process.pid}`);
  const write = (path: string, value: object) => {
    mkdirSync(join(own, path, '..'), { recursive: true });
    writeFileSync(join(own, `${path}.json`), JSON.stringify(value));
  };
  write('types/invoice', {
    title: 'Invoice',
    channels: ['EMAIL'],
    options: { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true, hour: '8' } } },
  });
  write('templates/invoice/EMAIL/default', { subject: 'Invoice {{ number }}', html: '<p>{{ total }}</p>' });
  expect(await templates('push', own, '--yes')).toMatchObject({ code: 0, errors: '' });
  for (const action of ['diff', 'push'])
    expect(await templates(action, own)).toMatchObject({ code: 0, output: 'Nothing changes.', errors: '' });
  await patientFetch(`${run.baseUrl}/types/invoice`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${run.secretKey}` },
    body: '{"enabled":false}',
  });
  expect(await templates('push', own, '--yes')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/Since the last pull.*types\/invoice\n.*--overwrite/s),
  });
  expect(await templates('push', own, '--yes', '--overwrite')).toMatchObject({ code: 0, errors: '' });
  expect((await run.request('/types/invoice')).json.enabled).toBe(true);

  // A folder that was never pulled has seen nothing of what the environment has.
  rmSync(join(own, '.pull.json'));
  write('types/invoice', { title: 'Bill', channels: ['EMAIL'], parametersSchema: { required: ['number'] } });
  expect(await templates('push', own, '--yes')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/types\/invoice\n.*--overwrite/s),
  });
  expect(await templates('push', own, '--yes', '--overwrite')).toMatchObject({ code: 0, errors: '' });
  expect(await templates('diff', own)).toMatchObject({ code: 0, output: 'Nothing changes.' });
  expect((await run.request('/types/invoice')).json.parametersSchema).toEqual({ required: ['number'] });
  write('types/invoice', {
    title: 'Bill',
    channels: ['EMAIL'],
    parametersSchema: { $ref: 'https://a.example' },
  });
  expect(await templates('diff', own)).toMatchObject({ code: 3, errors: expect.stringContaining('$ref') });

  write('templates/invoice/EMAIL/default', { subject: 'Invoice {{ number', html: '<p></p>' });
  write('types/other', { title: 7, channels: ['FAX'] });
  const { code, errors } = await templates('diff', own);
  expect([code, errors.split('\n')]).toEqual([
    3,
    [
      expect.stringMatching(/^templates\/invoice\/EMAIL\/default: .*subject/),
      expect.stringMatching(/^types\/invoice: .*\$ref/),
      expect.stringMatching(/^types\/other: .*title.*channels/),
    ],
  ]);
  writeFileSync(join(own, 'types/other.json'), '{');
  expect(await templates('diff', own)).toMatchObject({ code: 3, errors: expect.stringContaining('JSON') });
  const dead = ['diff', own, '--url', 'http://localhost:65530'];
  expect(await runHere('templates.ts', dead, { ...process.env, NDS_KEY: 'k' })).toMatchObject({ code: 4 });
  rmSync(own, { recursive: true });
});

const ROOT = join(import.meta.dirname, '../..');

/** Uses of a typed client; each expected error is one that the compiler must find. */
const TYPED = `
import { createClient } from ${JSON.stringify(join(ROOT, 'client/src/index.ts'))};
import type { Notifications } from './notifications.d.ts';

const client = createClient<Notifications>({ baseUrl: 'http://localhost:3000', key: 'k' });
const to = { id: 'ada' };
const parameters = { order: 'A-1', items: [{ sku: 'cup', kind: 'gift' as const }], note: null };
client.send({ type: 'order paid', to, parameters }, { dryRun: true }, { idempotencyKey: 'k' });
client.sendMany([{ type: 'order paid', to, parameters }, { type: 'greeting', to, parameters: { name: 'Ada' } }]);
client.sendBulk({ notifications: [{ type: 'greeting', to }] });
client.send({ type: 'greeting', to });
client.send({ type: 'free', to, parameters: { anything: 1 } });
client.sendEmail({ type: 'free', to: 'ada@example.com', subject: 'S', html: 'H' });
client.users.save('ada', { email: 'ada@example.com' });
// @ts-expect-error: an unknown type
client.send({ type: 'order_paid', to, parameters });
// @ts-expect-error: no parameters
client.send({ type: 'order paid', to });
// @ts-expect-error: a parameter of the wrong type
client.send({ type: 'order paid', to, parameters: { ...parameters, order: 1 } });
// @ts-expect-error: a value that the enum lacks
client.send({ type: 'order paid', to, parameters: { order: 'A-1', items: [{ sku: 'cup', kind: 'other' }] } });
// @ts-expect-error: a parameter that no template names
client.send({ type: 'greeting', to, parameters: { nmae: 'Ada' } });
// @ts-expect-error: no recipient
client.send({ type: 'greeting' });
// @ts-expect-error: an unknown type in a list
client.sendMany([{ type: 'greetings', to }]);
// @ts-expect-error: an unknown type in a bulk request
client.sendBulk({ notifications: [{ type: 'greetings', to }] });
// @ts-expect-error: an unknown type of an email
client.sendEmail({ type: 'fre', to: 'ada@example.com', subject: 'S', html: 'H' });
const anyType = createClient({ baseUrl: 'http://localhost:3000', key: 'k' });
anyType.send({ type: 'whatever', to, parameters: { x: 1 } });
`;

it('writes types with which an unknown type or a wrong parameter does not compile', async () => {
  const parametersSchema = {
    type: 'object',
    required: ['order', 'items'],
    properties: {
      order: { type: 'string' },
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
      note: { type: ['string', 'null'] },
    },
    $defs: {
      item: {
        type: 'object',
        required: ['sku'],
        properties: { sku: { type: 'string' }, kind: { enum: ['gift', 1] } },
      },
    },
  };
  await run.request('/types', {
    notificationId: 'order paid',
    title: 'Paid',
    channels: ['EMAIL'],
    parametersSchema,
  });
  for (const notificationId of ['greeting', 'free'])
    await run.request('/types', { notificationId, title: 'T', channels: ['SMS'] });
  await run.request('/notifications/greeting/SMS/templates', {
    templateId: 'default',
    text: 'Hi {{ name }}',
  });
  const program = mkdtempSync(join(tmpdir(), 'typed-'));
  const out = join(program, 'notifications.d.ts');
  expect(await templates('types', '--out', out)).toMatchObject({ code: 0, errors: '' });
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(program, 'program.ts'), TYPED);
  writeFileSync(
    join(program, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'client/tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        rootDir: '/',
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: ['*.ts'],
    }),
  );
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', program], { encoding: 'utf8' });
  expect(stdout).toBe('');
  rmSync(program, { recursive: true });
  expect(await templates('types', 'folder')).toMatchObject({ code: 2 });
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

  // The second language is not valid, so that the first is as it was.
  writeFileSync(join(folder, 'translations/de.json'), '{"hi":"Guten Tag"}\n');
  writeFileSync(join(folder, 'translations/fr.json'), '{"hi":"Bonjour {name"}\n');
  expect(await templates('push', folder, '--yes')).toMatchObject({
    code: 3,
    errors: expect.stringMatching(/^translations\/fr: hi /),
  });
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
