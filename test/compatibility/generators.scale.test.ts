import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(import.meta.dirname, 'node_modules');

/** Code of a caller of openapi-fetch, with the types of openapi-typescript. */
const FETCH = `
import createClient from 'openapi-fetch';
import { patientFetch } from './patient-fetch.ts';
import type { components, paths } from './schema.d.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + key }, fetch: patientFetch });
const params = { path: { userId: 'ada' } };
const { data: ada } = await client.POST('/users/{userId}', { params, body: { email: 'ada@example.com' } });
const { data: sent } = await client.POST('/send', {
  body: { type: 'welcome', to: { id: 'ada' }, email: { subject: 'Welcome', html: '<p>Hello</p>' } },
});
const trackingId: string = sent?.trackingId ?? '';
const { data: read } = await client.GET('/logs/{trackingIds}', { params: { path: { trackingIds: trackingId } } });
const record: components['schemas']['LogRecord'] | undefined = read?.logs[0];
const { data: users } = await client.GET('/users', { params: { query: { limit: 10 } } });
const { error, response } = await client.POST('/send', { body: { type: 'welcome', to: {} } });
// @ts-expect-error: an unknown channel does not compile
await client.POST('/send', { body: { type: 'welcome', to: { id: 'ada' }, forceChannels: ['PIGEON'] } });
console.log(JSON.stringify({
  email: ada?.email,
  routing: record?.email_routing,
  users: users?.users.map(({ id }) => id),
  status: response.status,
  code: error?.error.code,
}));
`;

/** The same with the functions of hey-api. */
const HEY_API = `
import { createClient, createConfig } from './hey-api/client';
import { getLogs, type LogRecord, listUsers, saveUser, send } from './hey-api';
import { patientFetch } from './patient-fetch.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient(createConfig({ baseUrl, auth: () => key, fetch: patientFetch }));
const path = { userId: 'ada' };
const { data: ada } = await saveUser({ client, path, body: { email: 'ada@example.com' } });
const { data: sent } = await send({
  client,
  body: { type: 'welcome', to: { id: 'ada' }, email: { subject: 'Welcome', html: '<p>Hello</p>' } },
});
const trackingId: string = sent?.trackingId ?? '';
const { data: read } = await getLogs({ client, path: { trackingIds: trackingId } });
const record: LogRecord | undefined = read?.logs[0];
const { data: users } = await listUsers({ client, query: { limit: 10 } });
const { error, response } = await send({ client, body: { type: 'welcome', to: {} } });
// @ts-expect-error: an unknown channel does not compile
await send({ client, body: { type: 'welcome', to: { id: 'ada' }, forceChannels: ['PIGEON'] } });
console.log(JSON.stringify({
  email: ada?.email,
  routing: record?.email_routing,
  users: users?.users.map(({ id }) => id),
  status: response?.status,
  code: error?.error.code,
}));
`;

const EXPECTED = {
  email: 'ada@example.com',
  routing: 'SEND',
  users: ['ada'],
  status: 400,
  code: 'MISSING_RECIPIENT',
};

let service: LocalRun;
let folder: string;

beforeAll(async () => {
  service = await startLocalRun();
  folder = mkdtempSync(join(tmpdir(), 'generators-'));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  copyFileSync(join(import.meta.dirname, '../support/patient-fetch.ts'), join(folder, 'patient-fetch.ts'));
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function generate(bin: string, args: string[]): void {
  // The command of hey-api starts another process.
  const env = { ...process.env, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'typescript-5.mjs')}` };
  execFileSync(process.execPath, [bin, ...args], { cwd: folder, env, stdio: 'pipe' });
}

/** Compiles the program in strict mode, generated files included, bundles and runs it. */
function run(name: string, program: string): unknown {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, program);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'ESNext',
    moduleResolution: 'bundler',
    target: 'ES2024',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
  expect(stdout).toBe('');
  const outfile = join(folder, `${name}.js`);
  buildSync({ entryPoints: [file], outfile, bundle: true, format: 'esm', platform: 'node' });
  const args = [outfile, service.baseUrl, service.secretKey];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('openapi-typescript: compiles in strict mode and drives the local run', () => {
  const bin = join(PACKAGES, 'openapi-typescript/bin/cli.js');
  generate(bin, [join(ROOT, 'docs/openapi.json'), '-o', 'schema.d.ts']);
  expect(run('fetch', FETCH)).toEqual(EXPECTED);
});

it('hey-api: compiles in strict mode and drives the local run', () => {
  const bin = join(PACKAGES, '@hey-api/openapi-ts/bin/run.js');
  generate(bin, ['-i', join(ROOT, 'docs/openapi.json'), '-o', 'hey-api', '--no-log-file']);
  expect(run('hey', HEY_API)).toEqual(EXPECTED);
});
