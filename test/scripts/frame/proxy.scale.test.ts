import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proxiesOf, proxyHint } from '../../../scripts/frame/proxy.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = mkdtempSync(join(tmpdir(), 'proxy-'));
writeFileSync(join(FOLDER, 'users.csv'), 'id,email\nada,ada@example.com\n');
afterAll(() => rmSync(FOLDER, { recursive: true }));

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listLogs', arguments: {} } };
const AWS_ENV = {
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AWS_REGION: 'eu-central-1',
  AWS_MAX_ATTEMPTS: '1',
};
const API = ['--url', 'https://api.example.com', '--key', 'nds_sk_x'];
const STAGE = ['--stage', 'prod'];
const SINCE = ['--from', '2026-11-20T08:00:00Z'];

/** Every npm script that asks a deployed stage or AWS, with arguments that let it, and what it reads. */
const COMMANDS: [name: string, args: string[], input?: string][] = [
  ['deploy', ['--email', 'ada@example.com']],
  ['deploy', ['--email', 'ada@example.com', '--dry-run']],
  ['destroy', [...STAGE, '--yes']],
  ['account', ['list', ...STAGE]],
  ['invoke', ['getStatus', ...STAGE]],
  ['pause', STAGE],
  ['restore', [...STAGE, '--table', 'restored']],
  ['verify', STAGE],
  ['explain', ['--account', 'a', ...SINCE, ...STAGE]],
  ['redrive', ['dead-letters', ...STAGE]],
  ['redrive', ['notifications', ...SINCE, ...STAGE]],
  ['redrive', ['failed', '--account', 'a', ...SINCE, ...STAGE]],
  ['redrive', ['usage', '--from', '2026-11-20', ...STAGE]],
  ['studio', [...STAGE, '--key', 'nds_sk_x']],
  ['logs', API],
  ['webhooks', API],
  ['logs', ['6f1d9a3e-0000-4000-8000-000000000000', ...API]],
  ['listen', ['--forward', 'http://localhost:4110', '--public-url', 'https://tunnel.example.com', ...API]],
  ['mcp', API, `${JSON.stringify(CALL)}\n`],
  ['templates', ['pull', join(FOLDER, 'templates'), ...API]],
  ['import', ['csv', join(FOLDER, 'users.csv'), '--apply', ...API]],
];
/** Those that work on this machine only, or start what does. */
const LOCAL =
  /^(start|check|lint|format|types|openapi|synth|table|token|trigger|screenshots|budgets|install:.*|build:.*|bench.*|test.*)$/;

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** A proxy that refuses every connection. */
async function startProxy() {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(String(url));
    response.writeHead(502).end();
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(String(url));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    asked,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs a script of package.json as npm does; returns what it says. */
function run(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const [, file = ''] = /^node (\S+)$/.exec(scripts[name]) ?? [];
  return new Promise((done) => {
    const options = { cwd: ROOT, env: { PATH, HOME, NODE_COMPILE_CACHE, ...AWS_ENV, ...env } };
    const child = execFile(process.execPath, [file, ...args], options, (_, __, errors) => done(errors));
    child.stdin?.end(input);
  });
}

describe('a command behind a proxy', () => {
  it('is in the table if it asks a deployed stage or AWS', () => {
    const names = new Set(COMMANDS.map(([name]) => name));
    expect(
      Object.keys(scripts)
        .filter((name) => !LOCAL.test(name))
        .sort(),
    ).toEqual([...names].sort());
  });

  it.concurrent.each(COMMANDS)('asks it: %s %j', async (name, args, input) => {
    using proxy = await startProxy();
    const errors = await run(name, args, { HTTPS_PROXY: proxy.address }, input);
    const isApi = args.includes('https://api.example.com');
    expect(proxy.asked.join(' '), errors).toMatch(isApi ? 'api.example.com:443' : /amazonaws\.com:443/);
  });

  it('reads the names of variables in lower case too', async () => {
    using proxy = await startProxy();
    await run('logs', API, { https_proxy: proxy.address });
    expect(proxy.asked).toContain('api.example.com:443');
  });

  it('does not ask it for what NO_PROXY names, nor for this machine', async () => {
    using proxy = await startProxy();
    const { address } = proxy;
    const errors = await run('logs', API, { HTTPS_PROXY: address, NO_PROXY: 'api.example.com' });
    expect(errors).toContain('Nothing responds at https://api.example.com');
    for (const host of ['localhost', '127.0.0.2', '[::1]'])
      await run('logs', ['--url', `http://${host}:1`, '--key', 'nds_sk_1'], { HTTP_PROXY: address });
    expect(proxy.asked).toEqual([]);
  });
});

it('reads the proxies in either letter case, and adds this machine to NO_PROXY', () => {
  expect(proxiesOf({ NO_PROXY: 'x' })).toBeUndefined();
  expect(proxiesOf({ https_proxy: 'http://p', no_proxy: 'a,b' })).toEqual({
    HTTPS_PROXY: 'http://p',
    NO_PROXY: 'a,b,localhost,127.0.0.1,::1,[::1]',
  });
  expect(proxyHint({})).toBe('');
});
