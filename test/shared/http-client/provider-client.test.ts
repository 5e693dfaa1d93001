import { describe, expect, it } from 'vitest';
import { createProviderClient } from '../../../shared/http-client/provider-client.ts';
import { HANG_MS } from '../../support/until.ts';
import { findClosedPort, startHttp, startTcp } from './servers.ts';

const client = createProviderClient({ timeoutMs: HANG_MS });
const MB = 1024 * 1024;

describe('a call to a provider', () => {
  it('arrives with its method, headers and text or bytes, and returns the response', async () => {
    const seen: unknown[] = [];
    const { port } = await startHttp(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString('hex');
      seen.push([request.method, request.url, request.headers['x-key'], body]);
      response.writeHead(429, { 'Retry-After': '7', 'content-type': 'application/json' }).end('{"é":1}');
    });
    const url = `http://127.0.0.1:${port}/v1/messages?a=1`;
    const headers = { 'X-Key': 'k' };
    for (const body of ['é', Uint8Array.of(0, 255, 1)]) {
      expect(await client.request({ url, method: 'POST', headers, body })).toMatchObject({
        kind: 'response',
        status: 429,
        headers: { 'retry-after': '7', 'content-type': 'application/json' },
        body: '{"é":1}',
      });
    }
    expect(await client.request({ url })).toMatchObject({ status: 429 });
    expect(seen).toEqual([
      ['POST', '/v1/messages?a=1', 'k', 'c3a9'],
      ['POST', '/v1/messages?a=1', 'k', '00ff01'],
      ['GET', '/v1/messages?a=1', undefined, ''],
    ]);
  });

  it('returns a redirect and does not follow it', async () => {
    const paths: unknown[] = [];
    const { port } = await startHttp((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const response = await client.request({
      url: `http://127.0.0.1:${port}/`,
      method: 'POST',
      body: 'secret',
    });
    expect(response).toMatchObject({ kind: 'response', status: 307, headers: { location: '/elsewhere' } });
    expect(paths).toEqual(['/']);
  });

  it('keeps the status and the first megabyte of a larger response', async () => {
    const { port } = await startHttp((_request, response) => response.end(`x${'é'.repeat(MB)}`));
    const response = await client.request({ url: `http://127.0.0.1:${port}/` });
    expect(response).toMatchObject({
      kind: 'response',
      status: 200,
      body: `x${'é'.repeat(MB / 2 - 1)}\ufffd`,
    });
  });

  it('ends an endless response at a megabyte', async () => {
    const { port } = await startHttp((_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(64 * 1024))) {}
      };
      response.on('drain', more);
      more();
    });
    const response = await client.request({ url: `http://127.0.0.1:${port}/` });
    expect(response).toMatchObject({ kind: 'response', body: 'x'.repeat(MB) });
  });

  it('ends as a timeout when the response does not arrive, or not completely, in time', async () => {
    for (const start of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc']) {
      const { port } = await startTcp((socket) => socket.write(start));
      const url = `http://127.0.0.1:${port}/`;
      expect(await client.request({ url, timeoutMs: 100 })).toEqual({ kind: 'timeout', written: true });
      expect(await createProviderClient({ timeoutMs: 100 }).request({ url })).toEqual({
        kind: 'timeout',
        written: true,
      });
    }
  });

  it('ends as unreachable, with the code of the error, when there is no response', async () => {
    const cut = await startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const short = await startTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'));
    const wrong = await startTcp((socket) => socket.end('220 mail ESMTP\r\n'));
    const reasons: unknown[] = [];
    for (const port of [await findClosedPort(), cut.port, short.port, wrong.port]) {
      reasons.push(await client.request({ url: `http://127.0.0.1:${port}/` }));
    }
    reasons.push(await client.request({ url: 'nothing' }));
    reasons.push(await client.request({ url: 'http://127.0.0.1:9999/', headers: { 'x-a': 'b\r\nc: d' } }));
    expect(reasons).toEqual([
      { kind: 'unreachable', reason: 'ECONNREFUSED', written: false },
      { kind: 'unreachable', reason: 'ECONNRESET', written: true },
      { kind: 'unreachable', reason: 'UND_ERR_SOCKET', written: true },
      { kind: 'unreachable', reason: 'HTTPParserError', written: true },
      { kind: 'unreachable', reason: 'ERR_INVALID_URL', written: true },
      { kind: 'unreachable', reason: expect.any(String), written: true },
    ]);
  });
});
