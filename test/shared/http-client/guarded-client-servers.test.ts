import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createGuardedClient } from '../../../shared/http-client/guarded-client.ts';
import { ask, closed, KB } from './limits-setup.ts';
import { findClosedPort, startTcp } from './servers.ts';

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
