import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { WebSocket } from 'ws';
import { LAMBDA_NODE_FLAGS } from '../infra/bundle/node-flags.ts';
import { inParallel } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = 'In-app, 1,000 connections of one environment, on this machine';
const CONNECTIONS = 1000;
/** As many as the service allows a user. */
const CONNECTIONS_OF_USER = 10;
const CONNECTS_AT_ONCE = 50;
const SENDS_AT_ONCE = 16;
const START = resolve(import.meta.dirname, '../infra/local/start.js');
const TARGET_MS = 1000;
const ALL_MS_MAX = 60_000;

const Ready = v.object({ baseUrl: v.string(), secretKey: v.string(), environmentId: v.string() });
type Ready = v.InferOutput<typeof Ready>;
/** An open connection, and when it got its messages. */
type Client = { userId: string; socket: WebSocket; gotAtMs: number[] };

/**
 * Measures how long browsers wait for a notification of the local run, started only for this: all that one user may
 * connect, and a thousand of different users.
 */
export async function measureRealtime(folder: string): Promise<Figure[]> {
  const file = join(folder, 'realtime.json');
  const fixed = ['--memory', '--port', '0', '--smtp-port', '0', '--quiet', '--no-welcome'];
  // Not the settings of the service that runs in this process.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const args = [...LAMBDA_NODE_FLAGS, START, ...fixed, '--ready-file', file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const ended = once(child, 'close');
  try {
    while (!existsSync(file)) {
      if (child.exitCode !== null) throw new Error('The local run did not start.');
      await sleep(100);
    }
    const run = v.parse(Ready, JSON.parse(readFileSync(file, 'utf8')));
    return [await fanOut(run), ...(await eachItsOwn(run))];
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function fanOut(run: Ready): Promise<Figure> {
  const clients = await openAll(run, CONNECTIONS_OF_USER, () => 'everywhere');
  const acceptedAtMs = await send(run, 'everywhere');
  await allGot(clients);
  const waits = clients.map(({ gotAtMs }) => (gotAtMs[0] ?? 0) - acceptedAtMs);
  closeAll(clients);
  return {
    part: PART,
    name: 'one notification to all of a user, the last one',
    value: Math.max(...waits),
    unit: 'ms',
    target: TARGET_MS,
  };
}

async function eachItsOwn(run: Ready): Promise<Figure[]> {
  const clients = await openAll(run, CONNECTIONS, (position) => `user-${position}`);
  const acceptedAtMs = new Map<string, number>();
  await inParallel(CONNECTIONS, SENDS_AT_ONCE, async (position) => {
    const userId = `user-${position}`;
    acceptedAtMs.set(userId, await send(run, userId));
  });
  const lastAtMs = performance.now();
  await allGot(clients);
  const gotAtMs = clients.map((client) => client.gotAtMs[0] ?? 0);
  const waits = clients.map(({ userId, gotAtMs: [atMs = 0] }) =>
    Math.max(0, atMs - (acceptedAtMs.get(userId) ?? 0)),
  );
  closeAll(clients);
  const figure = (name: string, value: number) => ({ part: PART, name, value, unit: 'ms' });
  return [
    figure('one each, p50 after its response', percentileOf(waits, 50)),
    figure('one each, p99 after its response', percentileOf(waits, 99)),
    {
      ...figure(
        'one each, the last one after the last response',
        Math.max(0, Math.max(...gotAtMs) - lastAtMs),
      ),
      target: TARGET_MS,
    },
  ];
}

function openAll(run: Ready, count: number, userIdOf: (position: number) => string): Promise<Client[]> {
  return inParallel(count, CONNECTS_AT_ONCE, async (position) => {
    const userId = userIdOf(position);
    const query = new URLSearchParams({ userId, envId: run.environmentId });
    const socket = new WebSocket(`${run.baseUrl.replace('http:', 'ws:')}/?${query}`);
    const client: Client = { userId, socket, gotAtMs: [] };
    socket.on('message', () => client.gotAtMs.push(performance.now()));
    await once(socket, 'open');
    return client;
  });
}

/** When the notification was accepted. */
async function send({ baseUrl, secretKey }: Ready, userId: string): Promise<number> {
  const response = await fetch(`${baseUrl}/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({ type: 'comment', to: { id: userId }, inapp: { title: 'Hello' } }),
  });
  if (!response.ok) throw new Error(`POST /send returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now();
}

async function allGot(clients: readonly Client[]): Promise<void> {
  const untilMs = performance.now() + ALL_MS_MAX;
  while (clients.some(({ gotAtMs }) => gotAtMs.length === 0)) {
    if (performance.now() > untilMs) throw new Error('Some connections got nothing.');
    await sleep(5);
  }
}

function closeAll(clients: readonly Client[]): void {
  for (const { socket } of clients) socket.terminate();
}
