import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, createClient } from '../client.ts';
import type { Channel } from '../generated/types.ts';

/** A message that the sandbox recorded, as a real provider would have received it. */
export type OutboxMessage = {
  channel: Channel;
  /** Addresses, numbers, tokens or endpoints that it went to. */
  to: string[];
  trackingId: string;
  userId: string;
  attempt: number;
  outcome: unknown;
  atMs: number;
  message: Record<string, unknown>;
};

/** A filter of messages; absent fields match any. */
export type OutboxFilter = { to?: string; channel?: Channel; trackingId?: string };

/** A service for a test suite, with sandbox providers on every channel. */
export type TestService = {
  baseUrl: string;
  secretKey: string;
  publicKey: string;
  environmentId: string;
  /** A client with the secret key. */
  client: Client;
  outbox: {
    /** Returns every matching message so far, oldest first. */
    list(filter?: OutboxFilter): Promise<OutboxMessage[]>;
    /** Waits for the next matching message that no earlier call returned. Throws after `timeoutMs` (10,000 by default). */
    next(filter?: OutboxFilter & { timeoutMs?: number }): Promise<OutboxMessage>;
    clear(): Promise<void>;
  };
  clock: {
    /** Moves the service clock by an ISO 8601 duration, such as PT1H, and runs everything that becomes due. */
    advance(duration: string): Promise<void>;
  };
  stop(): Promise<void>;
};

export type StartOptions = {
  /**
   * Folder of the service's repository. By default, `NOTIFICATION_SERVICE_FOLDER`, and without it the package
   * `notification-delivery-local` that the project has installed.
   */
  folder?: string;
  /** Further settings of the service, such as `{ EMAIL_TRACKING: 'on' }`. */
  settings?: Record<string, string>;
  /** Milliseconds until it must accept requests; 60,000 by default. */
  timeoutMs?: number;
};

const PACKAGE = 'notification-delivery-local';
const START_MS_MAX = 60_000;
const WAIT_MS_MAX = 10_000;
const POLL_MS = 50;

/** Providers that the shell, or a file `.env` of the service, may set for other runs: tests reach none of them. */
const SANDBOX = Object.fromEntries(
  [
    ...['EMAIL', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT', 'INAPP', 'DOMAIN', 'PAYMENT', 'IDENTITY'].map(
      (name) => `${name}_PROVIDER`,
    ),
    'BACKEND_PLATFORM',
    'EVENT_BUS',
  ].map((name) => [name, 'sandbox']),
);

/**
 * Starts the service in memory, on free ports. Call it in `beforeAll` (Vitest) or `before` (node:test), and `stop()`
 * afterwards. The service also stops when the process of the tests ends.
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const [command, first, cwd] = findService(options.folder ?? process.env.NOTIFICATION_SERVICE_FOLDER);
  const temporary = mkdtempSync(join(tmpdir(), 'notification-service-'));
  const readyFile = join(temporary, 'ready.json');
  const args = [
    '--port',
    '0',
    '--smtp-port',
    '0',
    '--memory',
    '--quiet',
    '--no-welcome',
    '--until-stdin-ends',
    '--ready-file',
    readyFile,
  ];
  const child = spawn(command, [...first, ...args], {
    cwd: cwd ?? temporary,
    env: { ...process.env, PUBLIC_BASE_URL: '', ...SANDBOX, ...options.settings },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const stop = () => stopped(child, temporary);
  try {
    await until(
      () => existsSync(readyFile) || child.exitCode !== null,
      options.timeoutMs ?? START_MS_MAX,
      'the service',
    );
    if (!existsSync(readyFile)) throw new Error(`The service ended: ${errors.trim()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const { baseUrl, secretKey, publicKey, environmentId } = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {
    baseUrl,
    secretKey,
    publicKey,
    environmentId,
    client: createClient({ baseUrl, key: secretKey }),
    outbox: outboxOf(baseUrl),
    clock: { advance: (duration) => post(`${baseUrl}/_sandbox/clock`, { advance: duration }) },
    stop,
  };
}

/** The command that starts the service, its first arguments and its folder; the package is started without one. */
function findService(folder: string | undefined): [command: string, first: string[], cwd?: string] {
  if (folder) return ['npm', ['start', '--silent', '--'], folder];
  try {
    const { resolve } = createRequire(join(process.cwd(), 'package.json'));
    const file = join(dirname(resolve(`${PACKAGE}/package.json`)), 'start.js');
    return [process.execPath, [file]];
  } catch (cause) {
    throw new Error(
      `Install ${PACKAGE}, or pass \`folder\`, the repository of the service, or set NOTIFICATION_SERVICE_FOLDER`,
      { cause },
    );
  }
}

function outboxOf(baseUrl: string): TestService['outbox'] {
  const address = `${baseUrl}/_sandbox/messages`;
  const returned = new Set<string>();
  const identify = ({ trackingId, channel, to, attempt, atMs }: OutboxMessage) =>
    [trackingId, channel, to, attempt, atMs].join(' ');
  async function list(filter: OutboxFilter = {}): Promise<OutboxMessage[]> {
    const { to, channel, trackingId } = filter;
    const filters = Object.entries({ to, channel, trackingId }).filter(([, value]) => value !== undefined);
    const response = await fetch(
      `${address}?${new URLSearchParams(Object.fromEntries(filters) as Record<string, string>)}`,
    );
    return (await response.json()).messages;
  }
  return {
    list,
    async next({ timeoutMs = WAIT_MS_MAX, ...filter } = {}) {
      let found: OutboxMessage | undefined;
      const what = `a message (${JSON.stringify(filter)})`;
      await until(
        async () => {
          found = (await list(filter)).find((message) => !returned.has(identify(message)));
          return found !== undefined;
        },
        timeoutMs,
        what,
      );
      if (!found) throw new Error(`There is no ${what}`);
      returned.add(identify(found));
      return found;
    },
    async clear() {
      await fetch(address, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    },
  };
}

async function post(address: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${await response.text()}`);
}

async function until(isMet: () => boolean | Promise<boolean>, limitMs: number, what: string): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isMet())) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms for ${what}`);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

/** npm starts the service as its child: the signal goes to the whole group. */
async function stopped(child: ChildProcess, temporary: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null) {
    const ended = new Promise((resume) => child.once('exit', resume));
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  rmSync(temporary, { recursive: true, force: true });
}
