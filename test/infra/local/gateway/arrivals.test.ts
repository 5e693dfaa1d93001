import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGatewayServer } from '../../../../infra/local/gateway/gateway.ts';

/** A server without a port: returns how many requests it has begun, connections and requests come as they are told to. */
function startServer() {
  let begun = 0;
  const server = createGatewayServer(() => {
    begun += 1;
  });
  return {
    begun: () => begun,
    connect: () => server.emit('connection', new Socket()),
    request() {
      const request = new IncomingMessage(new Socket());
      server.emit('request', request, new ServerResponse(request));
    },
  };
}

it('begins the requests of connections that arrive turn by turn together', async () => {
  const { begun, connect, request } = startServer();
  for (let count = 0; count < 16; count += 1) {
    connect();
    if (count > 0) request();
    expect(begun()).toBe(0);
    await nextTurn();
  }
  request();
  await expect.poll(begun).toBe(16);
});

it('begins a request of a known connection at once', () => {
  const { begun, request } = startServer();
  request();
  expect(begun()).toBe(1);
});

it('lets no request wait for connections that never end', async () => {
  const { begun, connect, request } = startServer();
  for (let count = 0; count < 100; count += 1) {
    connect();
    request();
    await nextTurn();
  }
  expect(begun()).toBeGreaterThan(50);
});
