import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';
import { createGuardedClient, type GuardedRequest } from '../../../shared/http-client/guarded-client.ts';
import { makeCertificate } from './certificate.ts';
import { findClosedPort, resolveTo, startHttp, startHttps, startTcp } from './servers.ts';

const KB = 1024;

function ask(port: number, input: Omit<GuardedRequest, 'url'> = {}) {
  const client = createGuardedClient({ allowedHosts: parseAllowedHosts(`127.0.0.1:${port}`) });
  return client.request({ url: `http://127.0.0.1:${port}/`, ...input });
}

async function closed(sockets: Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => socket.closed || new Promise((resolve) => socket.on('close', resolve))),
  );
}

/** Replaces the client's timers, so that tests decide when its limits are reached; sockets stay real. */
function stillTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Asks, and lets that time pass once the client has the head of the response. */
async function askAndWait(port: number, ms: number, input: Omit<GuardedRequest, 'url'>) {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  subscribe('http.client.response.finish', resolve);
  const asking = ask(port, input);
  await promise;
  unsubscribe('http.client.response.finish', resolve);
  await vi.advanceTimersByTimeAsync(ms);
  return asking;
}

const real = { setInterval, clearInterval };
/** Writes `part` every few milliseconds for as long as the connection lives. */
function drip(socket: Socket, part: string): void {
  const timer = real.setInterval(() => socket.write(part), 5);
  socket.on('close', () => real.clearInterval(timer));
}

describe('the time limit', () => {
  const slow: [name: string, start: string, endlessly: string][] = [
    ['no response at all', '', ''],
    ['a status line that drips', 'HTTP/1.1 200 O', 'O'],
    ['headers that never end', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
    ['interim responses without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ];
  const openBodies: typeof slow = [
    ['a body that drips', 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', 'x'],
    ['a body of unknown length that drips', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
    ['chunks that drip', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
    ['a body that stops', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', ''],
  ];

  it.each(openBodies)('returns the status of a response with %s', async (_name, start, endlessly) => {
    stillTimers();
    const { port, sockets } = await startTcp((socket) => {
      socket.once('data', () => {
        socket.write(start);
        drip(socket, endlessly);
      });
    });
    const answered = { kind: 'response', status: 200, truncated: true };
    const hasTime = { timeoutMs: 60_000 };
    expect(await askAndWait(port, 60_000, hasTime)).toMatchObject(answered);
    expect(await askAndWait(port, 5000, { ...hasTime, patienceMs: 50 })).toMatchObject(answered);
    expect(await askAndWait(port, 50, { ...hasTime, bodyMs: 50 })).toMatchObject(answered);
    expect(await askAndWait(port, 60_000, { ...hasTime, onTooLarge: 'fail' })).toEqual({ kind: 'timeout' });
    await closed(sockets);
  });

  it('returns the status of a response whose body was cut off', async () => {
    const { port } = await startTcp((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 410 Gone\r\nContent-Length: 10\r\n\r\nabc', () => socket.resetAndDestroy());
      });
    });
    expect(await ask(port)).toMatchObject({ kind: 'response', status: 410, truncated: true });
  });

  it.each(slow)('ends %s early when the caller asks for a fast response', async (_name, start, endlessly) => {
    const { port, sockets } = await startTcp((socket) => {
      socket.once('data', () => {
        socket.write(start);
        drip(socket, endlessly);
      });
    });
    expect(await ask(port, { timeoutMs: 60_000, patienceMs: 50 })).toEqual({ kind: 'timeout' });
    await closed(sockets);
  });

  it('does not end a fast response, however little time the caller allows', async () => {
    stillTimers();
    // Enough for sixteen seconds at the least speed, and an end long after the patience.
    const size = 1024 * KB;
    const answering = Promise.withResolvers<ServerResponse>();
    const { port } = await startHttp((_, response) => {
      response.write(Buffer.alloc(size, 'x'));
      answering.resolve(response);
    });
    const received = Promise.withResolvers<void>();
    const onResponse = (message: unknown) => {
      let left = size;
      (message as { response: IncomingMessage }).response.on('data', ({ length }: Buffer) => {
        left -= length;
        if (left === 0) received.resolve();
      });
    };
    subscribe('http.client.response.finish', onResponse);
    onTestFinished(() => void unsubscribe('http.client.response.finish', onResponse));
    const asking = ask(port, { patienceMs: 50, sizeBytesMax: 2 * size });
    await received.promise;
    await vi.advanceTimersByTimeAsync(9000);
    (await answering.promise).end();
    expect(await asking).toMatchObject({ kind: 'response', status: 200, truncated: false });
  });

  it.each(slow)('ends %s and closes the connection', async (_name, start, endlessly) => {
    stillTimers();
    const requested = Promise.withResolvers<void>();
    const { port, sockets } = await startTcp((socket) => {
      socket.once('data', () => {
        socket.write(start);
        drip(socket, endlessly);
        requested.resolve();
      });
    });
    const asking = ask(port, { timeoutMs: 60_000 });
    await requested.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asking).toEqual({ kind: 'timeout' });
    expect(sockets).toHaveLength(1);
    await closed(sockets);
  });

  it('ends a lookup that never returns', async () => {
    const client = createGuardedClient({ allowedHosts: new Set(), connectTimeoutMs: 100, resolve: () => {} });
    expect(await client.request({ url: 'https://customer.test/' })).toEqual({ kind: 'timeout' });
  });

  it('applies even when it is shorter than the connect limit', async () => {
    const client = createGuardedClient({ allowedHosts: new Set(), resolve: () => {} });
    expect(await client.request({ url: 'https://customer.test/', timeoutMs: 50 })).toEqual({
      kind: 'timeout',
    });
  });

  it.each([
    ['http', 'a new'],
    ['http', 'a kept'],
    ['https', 'a new'],
    ['https', 'a kept'],
  ])('replaces the connect limit once connected: %s on %s connection', async (scheme, connection) => {
    const certificate = makeCertificate('customer.test');
    setDefaultCACertificates([certificate.cert]);
    const requested = Promise.withResolvers<void>();
    const listener: RequestListener = (request, response) => {
      if (request.url === '/first') response.end();
      else requested.resolve();
    };
    const { port, sockets } = await (scheme === 'http'
      ? startHttp(listener)
      : startHttps(certificate, listener));
    const client = createGuardedClient({
      allowedHosts: parseAllowedHosts(`customer.test:${port}`),
      connectTimeoutMs: 5000,
      resolve: resolveTo(['127.0.0.1']).resolve,
    });
    const url = `${scheme}://customer.test:${port}`;
    if (connection === 'a kept') await client.request({ url: `${url}/first` });
    stillTimers();
    let outcome: unknown;
    const asking = client.request({ url: `${url}/second`, timeoutMs: 60_000 }).then((given) => {
      outcome = given;
    });
    await requested.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(50_000);
    await asking;
    expect(outcome).toEqual({ kind: 'timeout' });
    expect(sockets).toHaveLength(1);
  });

  it('includes both connections when the kept one was closed', async () => {
    let requests = 0;
    const third = Promise.withResolvers<void>();
    const { port, sockets } = await startTcp((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests === 3) third.resolve();
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        if (requests === 2) socket.resetAndDestroy();
      });
    });
    const client = createGuardedClient({ allowedHosts: parseAllowedHosts(`127.0.0.1:${port}`) });
    const url = `http://127.0.0.1:${port}/`;
    await client.request({ url });
    stillTimers();
    const asking = client.request({ url, timeoutMs: 60_000 });
    await third.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asking).toEqual({ kind: 'timeout' });
    expect(requests).toBe(3);
    await closed(sockets);
  });
});

describe('the size limit', () => {
  it('accepts a response of exactly its size', async () => {
    const body = Buffer.alloc(64 * KB, 'x');
    const { port } = await startHttp((_request, response) => response.end(body));
    for (const onTooLarge of ['truncate', 'fail'] as const) {
      expect(await ask(port, { onTooLarge })).toMatchObject({ kind: 'response', truncated: false, body });
    }
  });

  it('truncates a larger response and reports it', async () => {
    const { port, sockets } = await startHttp((_request, response) =>
      response.end(Buffer.alloc(64 * KB + 1, 'x')),
    );
    const response = await ask(port);
    expect(response).toMatchObject({ status: 200, truncated: true, body: Buffer.alloc(64 * KB, 'x') });
    await closed(sockets);
  });

  it('fails a larger response on request, with and without an announced length', async () => {
    for (const headers of [{ 'content-length': '11' }, {}]) {
      const { port, sockets } = await startHttp((_request, response) => {
        response.writeHead(200, headers);
        response.write('abcde');
        response.end('fghijk');
      });
      expect(await ask(port, { sizeBytesMax: 10, onTooLarge: 'fail' })).toEqual({ kind: 'too_large' });
      await closed(sockets);
    }
  });

  it('fails at the announced length, without waiting for the body', async () => {
    const { port } = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n');
    });
    expect(await ask(port, { onTooLarge: 'fail' })).toEqual({ kind: 'too_large' });
  });

  it.each(['truncate', 'fail'] as const)(
    'ends an endless response and its connection: %s',
    async (onTooLarge) => {
      const { port, sockets } = await startHttp((_request, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(16 * KB))) {}
        };
        response.on('drain', more);
        more();
      });
      const response = await ask(port, { onTooLarge, sizeBytesMax: 100 * KB });
      if (onTooLarge === 'fail') expect(response).toEqual({ kind: 'too_large' });
      else expect(response).toMatchObject({ truncated: true, body: Buffer.alloc(100 * KB) });
      await closed(sockets);
    },
  );

  it('counts a compressed response as received, so that a zip bomb stays small', async () => {
    const body = gzipSync(Buffer.alloc(1024 * KB));
    const { port } = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    });
    expect(await ask(port)).toMatchObject({
      headers: { 'content-encoding': 'gzip' },
      body,
      truncated: false,
    });
  });

  it('applies to the headers of a response', async () => {
    const { port } = await startTcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(64 * KB)}\r\n\r\n`);
    });
    expect(await ask(port)).toEqual({ kind: 'unreachable', reason: 'HPE_HEADER_OVERFLOW' });
  });
});

describe('a misbehaving server', () => {
  const broken: [string, (socket: Socket) => void][] = [
    ['closes immediately', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['speaks another protocol', (socket) => socket.end('220 mail ESMTP\r\n')],
    ['stops in mid-body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')],
    [
      'stops in mid-chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'),
    ],
    [
      'switches protocols',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ],
  ];

  it.each(broken)('counts as unreachable to who needs the body when it %s', async (_name, response) => {
    const { port, sockets } = await startTcp((socket) => socket.once('data', () => response(socket)));
    expect(await ask(port, { onTooLarge: 'fail' })).toEqual({
      kind: 'unreachable',
      reason: expect.stringMatching(/^[A-Z_]+$/),
    });
    await closed(sockets);
  });

  it('counts as unreachable with its reason when nothing listens or the name does not exist', async () => {
    expect(await ask(await findClosedPort())).toEqual({ kind: 'unreachable', reason: 'ECONNREFUSED' });
    const client = createGuardedClient({
      allowedHosts: new Set(),
      resolve: (_name, _options, callback) => callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    });
    expect(await client.request({ url: 'https://nowhere.example/' })).toEqual({
      kind: 'unreachable',
      reason: 'ENOTFOUND',
    });
  });

  it('sends a complete response when it closes after one of unknown length', async () => {
    const { port } = await startTcp((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nto the end'));
    });
    expect(await ask(port)).toMatchObject({ kind: 'response', body: Buffer.from('to the end') });
  });

  it('loses its connection when it responds without reading the request', async () => {
    let receivedBytes = 0;
    const { port, sockets } = await startTcp((socket) => {
      socket.pause();
      socket.on('data', (data) => {
        receivedBytes += data.length;
      });
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const body = Buffer.alloc(64 * 1024 * KB);
    expect(await ask(port, { method: 'POST', body })).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.resume();
    await closed(sockets);
    expect(receivedBytes).toBeLessThan(body.length);
  });
});

// In 2000::/3 but given back to IANA and routed nowhere.
const PUBLIC_BUT_UNROUTED = '3ffe::1';

describe('the guard', () => {
  it.each([
    ['http://customer.test/', 'scheme'],
    ['https://localhost/', 'name'],
    ['https://127.0.0.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[fd00:ec2::254]/', 'address'],
    ['https://user:secret@customer.test/', 'credentials'],
    ['https://customer.test:25/', 'port'],
    ['nothing', 'malformed'],
  ])('rejects %s before any lookup', async (url, reason) => {
    const { resolve, names } = resolveTo(['127.0.0.1']);
    const client = createGuardedClient({ allowedHosts: new Set(), resolve });
    expect(await client.request({ url })).toEqual({ kind: 'refused', reason });
    expect(names).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['93.184.215.14', '127.0.0.1']],
    [['127.0.0.1', '93.184.215.14']],
  ])('rejects a name that resolves to %s and opens no connection', async (addresses) => {
    const { port, sockets } = await startHttps(makeCertificate('evil.test'), (_request, response) => {
      response.end('secret');
    });
    const client = createGuardedClient({ allowedHosts: new Set(), resolve: resolveTo(addresses).resolve });
    expect(await client.request({ url: `https://evil.test:${port}/` })).toEqual({
      kind: 'refused',
      reason: 'address',
    });
    expect(sockets).toHaveLength(0);
  });

  it('connects to the address it checked when the name changes, and checks the next request again', async () => {
    const { port, sockets } = await startHttps(makeCertificate('rebind.test'), (_request, response) => {
      response.end('secret');
    });
    const { resolve, names } = resolveTo([PUBLIC_BUT_UNROUTED], ['127.0.0.1']);
    const client = createGuardedClient({ allowedHosts: new Set(), resolve });
    const url = `https://rebind.test:${port}/`;
    const first = await client.request({ url, timeoutMs: 300 });
    expect(['unreachable', 'timeout']).toContain(first.kind);
    expect(names).toHaveLength(1);
    expect(await client.request({ url })).toEqual({ kind: 'refused', reason: 'address' });
    expect(names).toHaveLength(2);
    expect(sockets).toHaveLength(0);
  });

  it.each([301, 302, 303, 307, 308])(
    'returns with a redirect (%d) and does not follow it',
    async (status) => {
      const target = await startHttp((_request, response) => response.end('secret'));
      const location = `http://127.0.0.1:${target.port}/`;
      const { port } = await startHttp((_request, response) => {
        response.writeHead(status, { location }).end();
      });
      const client = createGuardedClient({
        allowedHosts: parseAllowedHosts(`127.0.0.1:${port},127.0.0.1:${target.port}`),
      });
      expect(await client.request({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
        kind: 'response',
        status,
        headers: { location },
      });
      expect(target.sockets).toHaveLength(0);
    },
  );
});
