import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { createWebsocketGateway, type WebsocketGateway } from '../../../../infra/local/gateway/websocket.ts';
import { connections } from '../../../../shared/database/entities/inapp/connections.ts';
import type { InappItem } from '../../../../shared/database/entities/inapp/inapp-item.ts';
import { realtimePublisher } from '../../../../shared/providers/clients/realtime.ts';
import { inChunks } from '../../../../shared/runtime/async/chunks.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';

/** Connections of one environment; `WEBSOCKET_CONNECTIONS=1000` measures a thousand. */
const CONNECTIONS = Number(process.env.WEBSOCKET_CONNECTIONS ?? 60);

/** As many as the local run delivers concurrently: eight batches of ten. */
const PUSHES_AT_ONCE = 80;

const app = useApp();
const account = useAccount(app, 'test');
let server: Server;
let websocket: WebsocketGateway;
let baseUrl: string;
const errors: unknown[] = [];
beforeAll(async () => {
  server = createGateway({
    routes: [],
    loadHandler: async () => {
      throw new Error('there is no route');
    },
    local: (request) => websocket.response(request),
    nowMs: () => app.clock.nowMs,
  });
  websocket = createWebsocketGateway({
    server,
    nowMs: () => app.clock.nowMs,
    onError: (error) => errors.push(error),
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.WEBSOCKET_ENDPOINT = `http://${baseUrl}`;
  process.env.AWS_REGION ||= 'local';
  process.env.AWS_ACCESS_KEY_ID ||= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ||= 'local';
});
afterAll(() => {
  websocket.stop();
  server.close();
});

type Client = { socket: WebSocket; next: () => Promise<unknown> };

async function connect(account: TestAccount, userId: string, path = '/'): Promise<Client> {
  const query = new URLSearchParams({ userId, envId: account.environment.environmentId });
  const socket = new WebSocket(`ws://${baseUrl}${path}?${query}`);
  await new Promise((open, failed) => socket.once('open', open).once('error', failed));
  const next = () =>
    new Promise<unknown>((done) => socket.once('message', (data) => done(JSON.parse(data.toString()))));
  return { socket, next };
}

const itemOf = (trackingId: string): InappItem => ({
  id: trackingId,
  trackingId,
  notificationId: 'comment',
  title: 'Hello',
  date: '2026-11-21T08:30:00.000Z',
});
const openOf = (account: TestAccount, userId: string) =>
  resolve(connections).listOfUser(account.environment.environmentId, userId, app.clock.nowMs);

it(`sends one notification to each of ${CONNECTIONS} connections of one environment`, async () => {
  const numbers = Array.from({ length: CONNECTIONS }, (_, index) => index);
  const clients = await inChunks(numbers, 20, (index) => connect(account, `user-${index}`));
  const pending = clients.map((client) => client.next());
  const startedMs = performance.now();
  const accepted = await inChunks(numbers, PUSHES_AT_ONCE, (index) =>
    resolve(realtimePublisher).publish(
      account.environment.environmentId,
      `user-${index}`,
      itemOf(`t-${index}`),
    ),
  );
  const messages = await Promise.all(pending);
  const durationMs = performance.now() - startedMs;
  if (process.env.WEBSOCKET_CONNECTIONS) console.log(`${CONNECTIONS} in ${Math.round(durationMs)} ms`);
  expect(accepted.every(Boolean)).toBe(true);
  expect(messages).toEqual(
    clients.map((_, i) => ({
      route: 'inapp_web/new_notifications',
      payload: { notifications: [itemOf(`t-${i}`)] },
    })),
  );
  for (const { socket } of clients) socket.terminate();
});

it('rejects a handshake with the status of the function', async () => {
  const socket = new WebSocket(`ws://${baseUrl}/?userId=ada&envId=nobody`);
  const error = await new Promise<Error>((failed) => socket.once('error', failed));
  expect(error.message).toContain('401');
});

it.each(['/any/path', '/live/more', '/lively'])(
  'rejects a handshake on %s, which is not a stage',
  async (path) => {
    await expect(connect(account, 'ada', path)).rejects.toThrow('403');
  },
);

it.each(['%zz', '%', '%ff'])('returns 400 for the malformed connection ID %s', async (id) => {
  const response = await fetch(`http://${baseUrl}/@connections/${id}`, { method: 'POST', body: 'x' });
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([400, 'BadRequestException']);
});

it('deletes connections closed by the browser or the management API', async () => {
  const [left, thrown] = [await connect(account, 'ada', '/live'), await connect(account, 'bob')];
  left.socket.close();
  const [{ connectionId: ConnectionId = '' } = {}] = await openOf(account, 'bob');
  const client = new ApiGatewayManagementApiClient({ endpoint: `http://${baseUrl}` });
  const closed = new Promise((done) => thrown.socket.once('close', done));
  await client.send(new DeleteConnectionCommand({ ConnectionId }));
  await closed;
  await expect.poll(() => openOf(account, 'ada')).toEqual([]);
  await expect.poll(() => openOf(account, 'bob')).toEqual([]);
});

it('returns gone for a dead connection, which is then removed', async () => {
  const { environmentId } = account.environment;
  await resolve(connections).open({
    connectionId: 'ZbDEAD+/=',
    environmentId,
    userId: 'ada',
    openedAtMs: app.clock.nowMs - 60_000,
  });
  expect(await resolve(realtimePublisher).publish(environmentId, 'ada', itemOf('t'))).toBe(false);
  expect(await openOf(account, 'ada')).toEqual([]);
});

it('accepts messages of a browser and keeps the connection', async () => {
  const client = await connect(account, 'ada');
  client.socket.send('ping');
  const message = client.next();
  expect(
    await resolve(realtimePublisher).publish(account.environment.environmentId, 'ada', itemOf('t')),
  ).toBe(true);
  await message;
  client.socket.terminate();
  expect(errors).toEqual([]);
});

it('closes a connection after a frame over 32 KB, as API Gateway does', async () => {
  const { socket } = await connect(await createTestAccount(app), 'ada');
  const closed = once(socket, 'close');
  socket.send('x'.repeat(32 * 1024 + 1));
  expect((await closed)[0]).toBe(1009);
});

it('accepts posts within its process without a request, and returns gone as the management API does', async () => {
  const { socket, next } = await connect(account, 'poster');
  const [connection] = await openOf(account, 'poster');
  const message = next();
  expect(await websocket.post(connection?.connectionId ?? '', '{"route":"x"}')).toBe('accepted');
  expect(await message).toEqual({ route: 'x' });
  expect(await websocket.post('nobody=', '{}')).toBe('gone');
  socket.close();
});
