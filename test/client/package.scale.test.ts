import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtClient } from '../support/built-client.ts';
import { until } from '../support/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMPATIBILITY = join(ROOT, 'test/compatibility/node_modules');

/** Code of a user of the package: typed requests and responses, and the outbox of a service that it starts. */
const PROGRAM = `
import { createClient, ServiceError, userHash, type User } from 'notification-delivery-client';
import { createInbox, type InboxState } from 'notification-delivery-client/inbox';
import 'notification-delivery-client/inbox.global.js';
import { startService } from 'notification-delivery-client/testing';

const service = await startService({ timeoutMs: 300_000 });
try {
  const client = createClient({ baseUrl: service.baseUrl, key: process.env.NDS_KEY ?? service.secretKey });
  const ada: User = await client.users.save('ada', { email: 'ada@example.com' });
  const { trackingId } = await client.send({
    type: 'welcome',
    to: { id: ada.id },
    parameters: { name: 'Ada' },
    email: { subject: 'Welcome {{ name }}', html: '<p>Hello</p>' },
  });
  const message = await service.outbox.next({ to: 'ada@example.com', channel: 'EMAIL', timeoutMs: 300_000 });
  const recipients: string[] = message.to;
  const { logs } = await client.logs.get([trackingId]);
  const ids: string[] = [];
  for await (const each of client.logs.list({ limit: 1 })) ids.push(each.trackingId);
  const error = await client.send({ type: 'welcome', to: {} as { id: string } }).catch((caught: unknown) => caught);
  const code = error instanceof ServiceError ? error.code : undefined;
  // @ts-expect-error: an unknown channel does not compile
  await client.send({ type: 'welcome', to: { id: 'ada' }, forceChannels: ['PIGEON'] }).catch(() => {});
  await client.send({ type: 'reply', to: { id: 'ada' }, inapp: { title: 'Bob replied' } });
  const { baseUrl, publicKey: key, environmentId: envId } = service;
  const inbox = createInbox({ baseUrl, key, user: { id: 'ada' }, socketUrl: baseUrl, envId });
  const shown = await new Promise<InboxState>((resume) => {
    inbox.subscribe((state) => state.items.length > 0 && resume(state));
  });
  inbox.close();
  console.log(JSON.stringify({
    inbox: shown.items.map(({ title }) => title),
    sent: message.trackingId === trackingId,
    recipients,
    routing: logs[0]?.email_routing,
    listed: ids.includes(trackingId),
    code,
    hash: (await userHash('s', 'ada')).length,
  }));
} finally {
  await service.stop();
}
`;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-user-'));
  await builtClient();
  run('npm', ['pack', '--silent', '--pack-destination', folder], join(ROOT, 'client'));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  run('npm', ['install', '--silent', '--offline', `./${tarball}`], folder);
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['node', '../undici-types']) {
    const from = join(ROOT, 'node_modules/@types', name);
    symlinkSync(from, join(folder, 'node_modules/@types', name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: string[], cwd: string, settings = {}): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NOTIFICATION_SERVICE_FOLDER: ROOT, ...settings },
  });
}

it('compiles in strict mode in an empty project and drives the local run', () => {
  const options = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2024',
    noEmit: true,
    types: ['node'],
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], folder);
  const printed = run(join(ROOT, 'node_modules/.bin/node'), ['program.ts'], folder);
  expect(JSON.parse(printed)).toEqual({
    inbox: ['Bob replied'],
    sent: true,
    recipients: ['ada@example.com'],
    routing: 'SEND',
    listed: true,
    code: 'MISSING_RECIPIENT',
    hash: 44,
  });
});

/** Tests that were killed: nothing calls `stop`. */
const KILLED = `
import { writeSync } from 'node:fs';
import { startService } from 'notification-delivery-client/testing';

const { baseUrl, client } = await startService({ timeoutMs: 300_000 });
const { channels } = await client.providers.getProviderStatus();
writeSync(1, JSON.stringify({ baseUrl, channels }));
process.exit();
`;

it('starts sandbox providers whatever the shell sets, and ends with the process of the tests', async () => {
  writeFileSync(join(folder, 'killed.ts'), KILLED);
  const shell = {
    EMAIL_PROVIDER: 'ses',
    SMS_PROVIDER: 'twilio',
    PUBLIC_BASE_URL: 'https://tunnel.example.com',
  };
  const { baseUrl, channels } = JSON.parse(
    run(join(ROOT, 'node_modules/.bin/node'), ['killed.ts'], folder, shell),
  );
  expect(baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
  expect(JSON.stringify(channels)).not.toMatch(/ses|twilio/);
  const isGone = () =>
    fetch(`${baseUrl}/status`).then(
      () => false,
      () => true,
    );
  await until(isGone, 'the service to end');
});

/** A project of CommonJS with the oldest resolution that TypeScript still has. */
const REQUIRED = `
import { createClient, type User } from 'notification-delivery-client';
import { createInbox } from 'notification-delivery-client/inbox';
import { startService } from 'notification-delivery-client/testing';

const client = createClient({ baseUrl: 'http://localhost:3000', key: process.env.NDS_KEY });
const save = (id: string): Promise<User> => client.users.save(id, {});
console.log([typeof save, typeof createInbox, typeof startService].join());
`;

it.each([
  ['NodeNext', 'NodeNext'],
  ['CommonJS', 'Node10'],
])('compiles and runs where modules are required: %s, resolved as %s', (module, moduleResolution) => {
  const project = join(folder, `required-${moduleResolution}`);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(project, 'program.ts'), REQUIRED);
  const options = {
    module,
    moduleResolution,
    strict: true,
    target: 'ES2022',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    // The compiler's own.
    skipDefaultLibCheck: true,
  };
  const compilerOptions = { ...options, types: ['node'], typeRoots: [join(folder, 'node_modules/@types')] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  run(join(COMPATIBILITY, 'typescript/bin/tsc'), ['-p', project], project);
  // The oldest Node that the package names.
  for (const node of ['node', join(ROOT, 'node_modules/.bin/node')]) {
    const printed = run(node, ['program.js'], project, { NDS_KEY: 'nds_sk_test', PATH: systemPath() });
    expect(printed.trim()).toBe('function,function,function');
  }
});

/** Without npm's own Node. */
function systemPath(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
    .join(':');
}

it('has types and a module for each way of importing it', () => {
  run(join(COMPATIBILITY, '.bin/publint'), ['--strict'], join(ROOT, 'client'));
  const files = ['--exclude-entrypoints', 'inbox.global.js', 'service-worker.js'];
  const found = run(join(COMPATIBILITY, '.bin/attw'), ['--pack', '.', ...files], join(ROOT, 'client'));
  expect(found).toContain('No problems found');
});
