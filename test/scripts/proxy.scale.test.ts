import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proxiesOf, proxyHint } from '../../scripts/proxy.ts';

const SCRIPTS = resolve(import.meta.dirname, '../../scripts');

const asked: string[] = [];
const proxy = createServer((_, response) => response.writeHead(502).end());
proxy.on('connect', ({ url }, socket) => {
  asked.push(String(url));
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => void asked.splice(0));
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

function run(script: string, args: string[], env: Record<string, string>): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((done) => {
    execFile(
      process.execPath,
      [resolve(SCRIPTS, script), ...args],
      { env: { PATH, HOME, ...env } },
      (_, __, errors) => done(errors),
    );
  });
}

const AWS = {
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AWS_REGION: 'eu-central-1',
  AWS_MAX_ATTEMPTS: '1',
};
const API = ['--url', 'https://api.example.com', '--key', 'nds_sk_x'];

describe('a command behind a proxy', () => {
  it.each([
    ['of the API', 'logs.ts', API, 'api.example.com:443', 'HTTPS_PROXY'],
    ['of the API', 'logs.ts', API, 'api.example.com:443', 'https_proxy'],
    ['of AWS', 'pause.ts', ['--stage', 'prod'], 'sts.eu-central-1.amazonaws.com:443', 'HTTPS_PROXY'],
  ])('%s asks it (%s %j)', async (_, script, args, host, name) => {
    await run(script, args, { ...AWS, [name]: address });
    expect(asked).toContain(host);
  });

  it('does not ask it for what NO_PROXY names, nor for this machine', async () => {
    const errors = await run('logs.ts', API, { HTTPS_PROXY: address, NO_PROXY: 'api.example.com' });
    expect(errors).toContain('Nothing responds at https://api.example.com');
    await run('logs.ts', ['--url', 'http://localhost:1'], { HTTP_PROXY: address, HTTPS_PROXY: address });
    expect(asked).toEqual([]);
  });
});

it('reads the proxies in either letter case, and adds this machine to NO_PROXY', () => {
  expect(proxiesOf({ NO_PROXY: 'x' })).toBeUndefined();
  expect(proxiesOf({ https_proxy: 'http://p', no_proxy: 'a,b' })).toEqual({
    HTTPS_PROXY: 'http://p',
    NO_PROXY: 'a,b,localhost,127.0.0.1,::1',
  });
  expect(proxyHint({})).toBe('');
});
