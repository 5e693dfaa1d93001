import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ask, LARGE_BYTES, server, useGateway } from './gateway-setup.ts';

useGateway();

describe('a request body', () => {
  const bodyOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - 11) });

  it('passes as an event of up to 6 MB', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = bodyOf(6 * 1024 * 1024 - 2000);
    const { status, json } = await ask('/json', { method: 'POST', headers, body });
    expect((await ask('/json', { method: 'POST', body })).status).toBe(413);
    expect([status, json]).toEqual([200, { length: 6 * 1024 * 1024 - 2011 }]);
  });

  it.each([6 * 1024 * 1024, 7e6, 12e6])(
    'returns 413 with %i bytes, and the server continues',
    async (bytes) => {
      const { status, json } = await ask('/json', { method: 'POST', body: bodyOf(bytes) });
      expect([status, json]).toEqual([413, { message: 'Request Entity Too Large' }]);
      expect((await ask('/things')).status).toBe(200);
    },
  );

  it('counts with the escapes and base64 of its event', async () => {
    const post = (type: string, body: Buffer) =>
      ask('/things/a', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('text/plain', Buffer.alloc(LARGE_BYTES, '"'))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(4.8e6))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(1e6))).status).toBe(200);
  });

  it('returns 400 when it is empty', async () => {
    const { status, json } = await ask('/json', { method: 'POST' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('a failing function', () => {
  it('returns 500 with the body of API Gateway and without the cause', async () => {
    const { status, json, text } = await ask('/fails');
    expect([status, json]).toEqual([500, { message: 'Internal Server Error' }]);
    expect(text).not.toContain('zqmarkerqz');
  });

  it('returns 500 when its response is over 6 MB as JSON', async () => {
    expect((await ask('/large')).status).toBe(500);
  });

  it('returns 500 when its headers cannot be sent, and the server continues', async () => {
    expect((await ask('/_sandbox/broken')).status).toBe(500);
    expect((await ask('/things')).status).toBe(200);
  });
});

describe('request headers', () => {
  it.each([
    [10_000, 200],
    [10_240, 431],
    [100_000, 431],
    [400_000, 431],
  ])('return the status for %i bytes: %i', async (bytes, expected) => {
    const { status, json } = await ask('/things', { headers: { 'x-long': 'x'.repeat(bytes) } });
    expect(status).toBe(expected);
    if (status === 431) expect(json).toEqual({ message: 'Request Header Fields Too Large' });
  });

  it('count together with the request line', async () => {
    expect((await ask(`/things?q=${'x'.repeat(10_240)}`)).status).toBe(431);
  });

  it('contain cookies as a list', async () => {
    const { json } = await ask('/things', { headers: { cookie: 'a=1; b=2' } });
    expect(json.event.cookies).toEqual(['a=1', 'b=2']);
    expect(json.event.headers.cookie).toBeUndefined();
  });
});

describe('an upgrade request', () => {
  it.each(['h2c', 'TLS/1.2', 'foo'])('to %s is ignored', async (protocol) => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: protocol,
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    const { status, json } = await ask('/things', { headers });
    expect([status, json.route]).toEqual([200, 'listThings']);
  });

  it('gets no upgrade from curl --http2, even with a body', async () => {
    const { port } = server.address() as AddressInfo;
    const args = ['-s', '--http2', '-d', '{"text":"abc"}', `http://127.0.0.1:${port}/json`];
    const { stdout } = await promisify(execFile)('curl', args);
    expect(JSON.parse(stdout)).toEqual({ length: 3 });
  });
});

it('responds to data that is not HTTP and continues', async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port).end('\u0000\u0001 nonsense\r\n\r\n');
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask('/things')).status).toBe(200);
});
