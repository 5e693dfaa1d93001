import { setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';
import { createGuardedClient, type GuardedRequest } from '../../../shared/http-client/guarded-client.ts';
import type { Resolve } from '../../../shared/http-client/name-servers.ts';
import { makeCertificate } from './certificate.ts';
import { resolveTo, startHttp, startHttps, startTcp } from './servers.ts';

const ALL_RESOLVE_LOCALLY = resolveTo(['127.0.0.1']).resolve;

function clientFor(port: number, resolve: Resolve = ALL_RESOLVE_LOCALLY) {
  return createGuardedClient({
    allowedHosts: parseAllowedHosts(`127.0.0.1:${port},customer.test:${port}`),
    resolve,
  });
}

/** The response to a request to a server on `port`, which is on the list of allowed hosts. */
function ask(port: number, input: Omit<GuardedRequest, 'url'> & { path?: string } = {}) {
  const { path = '/', ...rest } = input;
  return clientFor(port).request({ url: `http://customer.test:${port}${path}`, ...rest });
}

describe('a request', () => {
  it('arrives with its method, path, headers and body, and returns the response', async () => {
    const seen: unknown[] = [];
    const { port } = await startHttp(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(201, { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('taken');
    });
    const response = await ask(port, {
      path: '/hook?a=1#top',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'webhook-id': 'msg_1' },
      body: '{"é":1}',
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/hook?a=1',
        body: '{"é":1}',
        headers: {
          host: `customer.test:${port}`,
          connection: 'keep-alive',
          'accept-encoding': 'identity',
          'user-agent': 'notification-delivery-service',
          'content-type': 'application/json',
          'content-length': '8',
          'webhook-id': 'msg_1',
        },
      },
    ]);
    expect(response).toMatchObject({
      kind: 'response',
      status: 201,
      truncated: false,
      body: Buffer.from('taken'),
    });
    expect(response).toMatchObject({ headers: { 'content-type': 'text/plain', 'set-cookie': 'a=1, b=2' } });
  });

  it('sends bytes unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { port } = await startHttp((request, response) => request.pipe(response));
    expect(await ask(port, { method: 'PUT', body: bytes })).toMatchObject({ body: Buffer.from(bytes) });
  });

  it('keeps its framing headers, whatever the caller sets', async () => {
    const { port } = await startHttp((request, response) => response.end(JSON.stringify(request.headers)));
    const headers = {
      Host: '169.254.169.254',
      'Content-Length': '0',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
      'Accept-Encoding': 'gzip',
      'User-Agent': 'own',
    };
    const response = await ask(port, { method: 'POST', headers, body: 'abc' });
    expect(JSON.parse(response.kind === 'response' ? response.body.toString() : '')).toEqual({
      host: `customer.test:${port}`,
      connection: 'keep-alive',
      'content-length': '3',
      'accept-encoding': 'identity',
      'user-agent': 'own',
    });
  });

  it('fails without a connection when a header contains a line break', async () => {
    const { port, sockets } = await startHttp((_request, response) => response.end());
    for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { '': 'b' }]) {
      expect(await ask(port, { headers })).toEqual({ kind: 'refused', reason: 'malformed' });
    }
    expect(sockets).toHaveLength(0);
  });

  it.each([200, 204, 304, 400, 410, 429, 500, 503])('returns with any status: %d', async (status) => {
    const { port } = await startHttp((_request, response) => response.writeHead(status).end());
    expect(await ask(port)).toMatchObject({ kind: 'response', status });
  });

  it('reuses one connection for consecutive requests', async () => {
    const { port, sockets } = await startHttp((_request, response) => response.end('ok'));
    const client = clientFor(port);
    for (const _turn of [1, 2, 3]) {
      expect(await client.request({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200 });
    }
    expect(sockets).toHaveLength(1);
  });

  it('repeats once on a new connection when the kept connection was closed', async () => {
    const requests: string[] = [];
    const { port, sockets } = await startTcp((socket) => {
      socket.on('data', (data) => {
        requests.push(data.toString().slice(0, 6));
        const isSecondOfItsConnection = requests.length === 2;
        if (isSecondOfItsConnection) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok');
      });
    });
    const client = clientFor(port);
    const url = `http://127.0.0.1:${port}/`;
    expect(await client.request({ url })).toMatchObject({ status: 200 });
    expect(await client.request({ url })).toMatchObject({ status: 200 });
    expect(requests).toEqual(['GET / ', 'GET / ', 'GET / ']);
    expect(sockets).toHaveLength(2);
  });

  it('does not repeat when a new connection is cut', async () => {
    const { port, sockets } = await startTcp((socket) => socket.on('data', () => socket.resetAndDestroy()));
    expect(await ask(port)).toEqual({ kind: 'unreachable', reason: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });
});

describe('https', () => {
  const trusted = makeCertificate('customer.test');

  it('reaches a server with a trusted certificate and its name, and keeps the connection', async () => {
    setDefaultCACertificates([trusted.cert]);
    const { port, sockets } = await startHttps(trusted, (_request, response) => response.end('ok'));
    const client = clientFor(port);
    for (const _turn of [1, 2]) {
      expect(await client.request({ url: `https://customer.test:${port}/` })).toMatchObject({ status: 200 });
    }
    expect(sockets).toHaveLength(1);
  });

  it('rejects a certificate for another name', async () => {
    setDefaultCACertificates([trusted.cert]);
    const { port } = await startHttps(trusted, (_request, response) => response.end('secret'));
    expect(await clientFor(port).request({ url: `https://127.0.0.1:${port}/` })).toEqual({
      kind: 'unreachable',
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('rejects an untrusted certificate', async () => {
    setDefaultCACertificates([trusted.cert]);
    const { port } = await startHttps(makeCertificate('customer.test'), (_request, response) => {
      response.end('secret');
    });
    const response = await clientFor(port).request({ url: `https://customer.test:${port}/` });
    expect(response).toMatchObject({ kind: 'unreachable', reason: expect.stringMatching(/CERT/) });
  });

  it('ends a handshake without a response at the connect limit', async () => {
    const connected = Promise.withResolvers<void>();
    const { port, sockets } = await startTcp(() => connected.resolve());
    const client = createGuardedClient({
      allowedHosts: parseAllowedHosts(`127.0.0.1:${port}`),
      connectTimeoutMs: 5000,
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asking = client.request({ url: `https://127.0.0.1:${port}/` });
    await connected.promise;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await asking).toEqual({ kind: 'timeout' });
    expect(sockets).toHaveLength(1);
  });
});
