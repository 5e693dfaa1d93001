import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';
import { createGuardedClient } from '../../../shared/http-client/guarded-client.ts';
import { makeCertificate } from './certificate.ts';
import { ask, closed, KB } from './limits-setup.ts';
import { resolveTo, startHttp, startHttps, startTcp } from './servers.ts';

/** Replaces the client's timers, so that tests decide when its limits are reached; sockets stay real. */
function stillTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Writes `part` every few milliseconds for as long as the connection lives. */
function drip(socket: Socket, part: string): void {
  const timer = setInterval(() => socket.write(part), 5);
  socket.on('close', () => clearInterval(timer));
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
    const { port, sockets } = await startTcp((socket) => {
      socket.once('data', () => {
        socket.write(start);
        drip(socket, endlessly);
      });
    });
    const answered = { kind: 'response', status: 200, truncated: true };
    expect(await ask(port, { timeoutMs: 300 })).toMatchObject(answered);
    expect(await ask(port, { timeoutMs: 60_000, patienceMs: 50 })).toMatchObject(answered);
    expect(await ask(port, { timeoutMs: 60_000, bodyMs: 50 })).toMatchObject(answered);
    expect(await ask(port, { timeoutMs: 300, onTooLarge: 'fail' })).toEqual({ kind: 'timeout' });
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
    const size = 1024 * KB;
    const { port } = await startHttp((_, response) => {
      // Enough for sixteen seconds at the least speed, and an end long after the patience.
      response.write(Buffer.alloc(size, 'x'));
      setTimeout(() => response.end(), 3000);
    });
    const response = await ask(port, { patienceMs: 2000, sizeBytesMax: 2 * size });
    expect(response).toMatchObject({ kind: 'response', status: 200, truncated: false });
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
