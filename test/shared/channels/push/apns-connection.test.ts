import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApnsConnection } from '../../../../shared/channels/push/apns/apns-connection.ts';
import { startApnsFake } from '../../../support/fakes/apns.ts';
import { makeCertificate } from '../../http-client/certificate.ts';
import { findClosedPort } from '../../http-client/servers.ts';

/** Longer than the connection waits for a response or a ping. */
const LIMIT_MS = 5000;

const closing: (() => unknown)[] = [];
// The connection's time limits; what the sockets do stays real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

/** A connection to a server that can be cut without either side noticing. */
async function startWire(port: number) {
  const sockets: Socket[] = [];
  let silent = false;
  let lost = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (chunk) => {
        if (silent) lost += 1;
        else to.write(chunk);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      silent = true;
    },
    /** Waits until something was sent into the cut wire. */
    lost: () => expect.poll(() => lost).toBeGreaterThan(0),
    repair: () => {
      silent = false;
    },
  };
}

async function start() {
  const clock = { nowMs: 0 };
  const fake = await startApnsFake({ devices: ['d1'] });
  const wire = await startWire(fake.port);
  const connection = createApnsConnection({
    url: wire.url,
    now: () => clock.nowMs,
  });
  closing.push(fake.close, connection.close);
  // 403: any response will do for a connection.
  const post = (device = 'd1') => connection.post(`/3/device/${device}`, {}, '{}');
  return { fake, wire, clock, connection, post };
}

test('sends many requests over one session', async () => {
  const { fake, post } = await start();
  const responses = await Promise.all(Array.from({ length: 50 }, () => post()));
  expect(new Set(responses.map(({ kind }) => kind))).toEqual(new Set(['response']));
  expect(fake.sessionsOpened()).toBe(1);
});

test('replaces a session that died while idle, found by ping', async () => {
  const { fake, wire, clock, post } = await start();
  await post();
  clock.nowMs += 30_001;
  const alive = await post();
  expect([alive.kind, fake.sessionsOpened()]).toEqual(['response', 1]);
  clock.nowMs += 30_001;
  wire.cut();
  const pinging = [post(), post()];
  await wire.lost();
  wire.repair();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  const responses = await Promise.all(pinging);
  expect(responses.map(({ kind }) => kind)).toEqual(['response', 'response']);
  expect(fake.sessionsOpened()).toBe(2);
});

test('replaces a session that sent GOAWAY', async () => {
  const { fake, post } = await start();
  await post();
  fake.goAway();
  await expect.poll(async () => (await post()).kind).toBe('response');
  expect(fake.sessionsOpened()).toBe(2);
});

test('repeats once, immediately, a request that the host did not process', async () => {
  const { fake, post } = await start();
  fake.respondWith('d1', 'refuse');
  expect(await post()).toMatchObject({ kind: 'response' });
  fake.respondWith('d1', 'refuse', 'refuse');
  expect(await post()).toMatchObject({ kind: 'unreachable' });
});

test('repeats a request rejected by GOAWAY on a new session', async () => {
  const { fake, post } = await start();
  await post();
  fake.respondWith('d1', 'goaway_unread');
  expect(await post()).toMatchObject({ kind: 'response' });
  expect(fake.sessionsOpened()).toBe(2);
});

test('does not repeat a request that a lost connection may have delivered', async () => {
  const { fake, post } = await start();
  await post();
  fake.respondWith('d1', 'drop');
  expect(await post()).toMatchObject({ kind: 'unreachable' });
  expect(fake.sessionsOpened()).toBe(1);
});

test('cancels a request without a response, and checks the session before the next one', async () => {
  const { fake, post } = await start();
  await post();
  fake.respondWith('d1', 'hang');
  const hanging = post();
  await expect.poll(() => fake.hanging()).toBe(1);
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await hanging).toEqual({ kind: 'timeout' });
  expect(await post()).toMatchObject({ kind: 'response' });
  await expect.poll(() => fake.cancelled).toEqual(['d1']);
  expect(fake.sessionsOpened()).toBe(1);
});

test('gives up on a connection that hangs while opening', async () => {
  const { wire, post, fake } = await start();
  wire.cut();
  const opening = post();
  await wire.lost();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await opening).toEqual({ kind: 'timeout' });
  wire.repair();
  const next = post();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await next).toMatchObject({ kind: 'response' });
  expect(fake.sessionsOpened()).toBe(2);
});

test('reports a missing host as unreachable, with the code', async () => {
  const connection = createApnsConnection({
    url: `http://127.0.0.1:${await findClosedPort()}`,
    now: Date.now,
  });
  expect(await connection.post('/3/device/d1', {}, '{}')).toEqual({
    kind: 'unreachable',
    reason: 'ECONNREFUSED',
  });
});

test('reports an untrusted certificate as unreachable', async () => {
  const fake = await startApnsFake({ tls: makeCertificate('localhost') });
  closing.push(fake.close);
  const connection = createApnsConnection({ url: fake.url, now: Date.now });
  expect(await connection.post('/3/device/d1', {}, '{}')).toMatchObject({
    kind: 'unreachable',
    reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});
