import { randomBytes } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { WORKERS } from '../../functions/workers.ts';
import { createLocalKeyWrapper } from '../../infra/local/key-file.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import type { Blobs } from '../../shared/blobs/blobs-port.ts';
import type { ChannelProvider } from '../../shared/channels/channel.ts';
import { type Database, database } from '../../shared/database/database.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { chatProvider } from '../../shared/providers/chat.ts';
import { emailProvider } from '../../shared/providers/email.ts';
import { guardedClient } from '../../shared/providers/http-clients.ts';
import { callProvider, smsProvider } from '../../shared/providers/phone.ts';
import { pushProvider, webPushProvider } from '../../shared/providers/push.ts';
import { clock, type Dependency, jitter, replace } from '../../shared/runtime/dependency.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { createMemoryQueues, type MemoryQueues, type Received } from './memory-queues.ts';
import { createMemoryTable } from './memory-table.ts';

/** What may go wrong at one external call. */
export const FAULTS = ['error before', 'lost response', 'kill before', 'kill after', 'throttle'] as const;
export type Fault = (typeof FAULTS)[number];

/** Guards that can be removed, to show that the runs notice. */
export type Mutant = 'no attempts';

/** A deployment in memory: table, queues, clock and providers, driven one invocation at a time. */
export type World = {
  now(): number;
  /** Names of the external calls so far. */
  calls: string[];
  /** Deliveries that providers accepted. */
  accepted: { channel: Channel; trackingId: string }[];
  /** Posts that a webhook received. */
  posts: { id: string }[];
  /** Runs workers and moves the clock until nothing is left to do within `hours`. */
  settle(hours?: number): Promise<void>;
  /** Runs one invocation to its end; undefined when it was killed. */
  invoke<T>(run: () => Promise<T>): Promise<T | undefined>;
  /** Whether the one fault has happened, at which call. */
  faulted: string | undefined;
  /** Starts to count calls, and plans the fault at the call of that number. */
  arm(at: number, fault: Fault): void;
  /** Whether writes of events failed for a while. */
  isBroken: boolean;
  /** Lets every write of an event fail from now on for that long, while reads work. */
  breakEventWrites(forMs: number): void;
  /** Plans no fault any more. */
  disarm(): void;
};

type Handler = (event: unknown) => Promise<unknown>;
const handlers = new Map<string, Handler>();

/** Loads every worker once. */
export async function loadHandlers(): Promise<void> {
  for (const { name, concern } of WORKERS) {
    const { handler } = await import(`../../functions/workers/${concern}/${name}.ts`);
    handlers.set(name, handler);
  }
}

const START_MS = Date.parse('2026-11-21T08:30:00.000Z');
const THROTTLED_CALLS = 3;
const STREAM_BATCH = 25;
const SWEEP_EVERY_MS = 900_000;
const KEY = randomBytes(32);

export function createWorld(mutant?: Mutant): World {
  let nowMs = START_MS;
  let isDead = false;
  let armed: { at: number; fault: Fault } | undefined;
  let throttled = 0;
  let brokenUntilMs = 0;
  let onKilled = () => {};
  const world: World = {
    now: () => nowMs,
    calls: [],
    accepted: [],
    posts: [],
    faulted: undefined,
    settle,
    invoke,
    arm(at, fault) {
      world.calls.length = 0;
      armed = { at, fault };
    },
    isBroken: false,
    breakEventWrites(forMs) {
      world.isBroken = true;
      brokenUntilMs = nowMs + forMs;
    },
    disarm: () => {
      armed = undefined;
      throttled = 0;
    },
  };
  const table = createMemoryTable();
  const memoryQueues = createMemoryQueues(() => nowMs, WORKERS);

  /** One external call: it may fail before or after its effect, or take its invocation with it. */
  async function external<T>(name: string, effect: () => Promise<T>): Promise<T> {
    if (isDead) return new Promise(() => {});
    const index = world.calls.push(name) - 1;
    const isPlanned = armed !== undefined && armed.at === index && world.faulted === undefined;
    const fault = isPlanned ? armed?.fault : undefined;
    if (fault) world.faulted = name;
    if (fault === 'throttle') throttled = THROTTLED_CALLS;
    if (fault === 'error before' || throttled > 0) {
      throttled = Math.max(0, throttled - 1);
      throw new Error('injected: the call failed');
    }
    if (fault === 'kill before') return die();
    const result = await effect();
    if (fault === 'lost response') throw new Error('injected: the response was lost');
    if (fault === 'kill after') return die();
    return result;
  }

  function die(): Promise<never> {
    isDead = true;
    onKilled();
    return new Promise(() => {});
  }

  /** Runs one invocation to its end; `undefined` when it was killed. */
  async function invoke<T>(run: () => Promise<T>): Promise<T | undefined> {
    const killed = new Promise<undefined>((resume) => {
      onKilled = () => resume(undefined);
    });
    const outcome = await Promise.race([run().catch(() => undefined), killed]);
    // What the killed invocation still runs comes to its next call, which never returns.
    for (let turn = 0; isDead && turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
    isDead = false;
    return outcome;
  }

  async function drainStream(): Promise<boolean> {
    const records = table.takeRecords(STREAM_BATCH);
    const wanted = records.filter(({ dynamodb }) => /^(LOG|DIGEST)#/.test(dynamodb?.Keys?.pk?.S ?? ''));
    let left = wanted;
    for (let tries = 0; left.length > 0 && tries < 50; tries += 1) {
      const event = { Records: left, shardId: 'shard-1' };
      const answer = (await invoke(async () => handlers.get('dispatch')?.(event))) as
        | SQSBatchResponse
        | undefined;
      const failed = answer?.batchItemFailures[0]?.itemIdentifier;
      if (answer && failed === undefined) left = [];
      else if (failed !== undefined)
        left = left.slice(left.findIndex((each) => each.dynamodb?.SequenceNumber === failed));
    }
    return records.length > 0;
  }

  async function drainQueue(worker: string, queue: string): Promise<boolean> {
    const messages = memoryQueues.receive(queue, 10);
    if (messages.length === 0) return false;
    const event = eventOf(messages);
    const answer = (await invoke(async () => handlers.get(worker)?.(event))) as SQSBatchResponse | undefined;
    const failed = new Set(
      answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) ?? messages.map(({ id }) => id),
    );
    memoryQueues.finish(
      queue,
      messages.filter(({ id }) => !failed.has(id)),
    );
    return true;
  }

  async function settle(hours = 3): Promise<void> {
    const endMs = nowMs + hours * 3_600_000;
    let sweepAtMs = nowMs;
    while (nowMs <= endMs) {
      let isBusy = true;
      while (isBusy) {
        isBusy = await drainStream();
        for (const { name, trigger } of WORKERS) {
          if (trigger.kind === 'queue' && (await drainQueue(name, trigger.queue))) isBusy = true;
        }
      }
      const nextMs = memoryQueues.nextVisibleAtMs();
      if (nowMs >= sweepAtMs) {
        await invoke(async () => handlers.get('sweep')?.({}));
        sweepAtMs = nowMs + SWEEP_EVERY_MS;
        if (table.size() > 0 || memoryQueues.hasVisible()) continue;
      }
      nowMs = Math.min(sweepAtMs, Math.max(nowMs + 1, nextMs ?? Number.POSITIVE_INFINITY));
    }
    memoryQueues.redriveDead();
  }

  const unlessBroken: Database['put'] = async (item, options) => {
    const isEvent =
      String(item.sk).startsWith('EVENT#') && !(mutant && String(item.sk).includes('#attempt#'));
    if (nowMs < brokenUntilMs && isEvent) throw new Error('injected: no writes');
    return mutated.put(item, options);
  };
  const mutated: Database =
    mutant === 'no attempts'
      ? {
          ...table.database,
          put: async (item, options) =>
            String(item.sk).includes('#attempt#')
              ? { written: true, item }
              : table.database.put(item, options),
        }
      : table.database;
  current = {
    now: () => nowMs,
    external,
    database: { ...mutated, put: unlessBroken },
    queues: memoryQueues,
    blobs: new Map(),
    deliver: (channel, trackingId) => void world.accepted.push({ channel, trackingId }),
    post: (id) => void world.posts.push({ id }),
  };
  return world;
}

type Current = {
  now(): number;
  external<T>(name: string, effect: () => Promise<T>): Promise<T>;
  database: Database;
  queues: MemoryQueues;
  blobs: Map<string, Uint8Array>;
  deliver(channel: Channel, trackingId: string): void;
  post(id: string): void;
};
/** The world of the present run: adapters are made once, because the entities keep theirs. */
let current: Current;

/** Puts the adapters of the simulation in the place of AWS. Call it once per process. */
export function installAdapters(): void {
  const names = [
    'get',
    'batchGet',
    'batchPut',
    'put',
    'update',
    'delete',
    'query',
    'queryAll',
    'transact',
  ] as const;
  const table = Object.fromEntries(
    names.map((name) => [
      name,
      (...given: never[]) => {
        const call = current.database[name] as (...all: never[]) => Promise<unknown>;
        return current.external(`table ${name}`, () => call(...given));
      },
    ]),
  );
  const memoryBlobs: Blobs = {
    put: (name, bytes) => current.external('blob put', async () => void current.blobs.set(name, bytes)),
    get: (name) => current.external('blob get', async () => current.blobs.get(name)),
    delete: (name) => current.external('blob delete', async () => void current.blobs.delete(name)),
  };
  replace(clock, () => ({ now: () => current.now() }));
  replace(jitter, () => () => 0.5);
  replace(database, () => table as Database);
  replace(keyWrapper, () => createLocalKeyWrapper(KEY));
  replace(blobs, () => memoryBlobs);
  replace(queues, () => ({
    send: (queue, messages) =>
      current.external(`send ${queue}`, async () => current.queues.send(queue, messages)),
    changeVisibility: (queue, handle, seconds) =>
      current.external('change visibility', async () =>
        current.queues.changeVisibility(queue, handle, seconds),
      ),
  }));
  const set = <C extends Channel>(dependency: Dependency<ChannelProvider<C>>, channel: C) =>
    replace(dependency, () => ({
      name: 'simulated',
      deliver: ({ trackingId }) =>
        current.external(`provider ${channel}`, async () => {
          current.deliver(channel, trackingId);
          return { kind: 'sent', fields: {} } as const;
        }),
    }));
  set(emailProvider, 'EMAIL');
  set(smsProvider, 'SMS');
  set(callProvider, 'CALL');
  set(pushProvider, 'PUSH');
  set(webPushProvider, 'WEB_PUSH');
  set(chatProvider, 'CHAT');
  replace(guardedClient, () => ({
    request: ({ headers = {} }) =>
      current.external('webhook post', async () => {
        current.post(String(headers['webhook-id']));
        return {
          kind: 'answer',
          status: 200,
          headers: {},
          body: Buffer.alloc(0),
          truncated: false,
          durationMs: 1,
        } as const;
      }),
  }));
}

function eventOf(messages: readonly Received[]): SQSEvent {
  return {
    Records: messages.map(({ id, body, receives }) => ({
      messageId: id,
      receiptHandle: id,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        ApproximateFirstReceiveTimestamp: '0',
        SentTimestamp: '0',
        SenderId: '',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: '',
      awsRegion: '',
    })),
  };
}
