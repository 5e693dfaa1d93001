import { setImmediate as settled } from 'node:timers/promises';
import { tryLater } from '../functions/workers/delivery/outcome/try-later.ts';
import { type callDependencies, makeCall } from '../functions/workers/webhooks/make-call.ts';
import { workers as webhookWorkers } from '../functions/workers/webhooks/workers.ts';
import { openEmbeddedTable } from '../infra/local/database/embedded-table.ts';
import { createDatabase, type Database } from '../shared/database/database.ts';
import { createThrottlePlaces } from '../shared/database/entities/sending/throttle-places.ts';
import { createWebhooks } from '../shared/database/entities/webhooks/webhooks.ts';
import { webhookHistoryKey } from '../shared/database/keys/environment.ts';
import { EMAIL_RETRY_HOURS } from '../shared/domain/timing/retry.ts';
import { createFairClient } from '../shared/http-client/fair-client.ts';
import type { GuardedResponse } from '../shared/http-client/guarded-client.ts';
import type { Resolved } from '../shared/runtime/dependency.ts';
import { defined } from '../shared/runtime/values/defined.ts';
import { newId } from '../shared/runtime/values/ids.ts';
import type { WebhookCall } from '../shared/schemas/logs/webhook.ts';
import { writeUnitsOf } from './ledger.ts';
import { type Figure, percentileOf } from './report.ts';

const START_MS = 1_790_000_000_000;
const SECOND_MS = 1000;
const HOUR_SECONDS = 3600;
const WRITES_PER_PARTITION = 1000;

/** Only what the code under measurement calls. */
const only = <T>(methods: object): T => methods as T;

const memoryTable = (): Database =>
  createDatabase(openEmbeddedTable({ file: ':memory:', tableName: 'bench' }).client, 'bench');

const BATCH = 10;
const TICK_MS = 100;
const WORKING_MS = 100;
const TIMEOUT_MS = 15_000;

type Queued = { call: WebhookCall; acceptedAtMs: number; visibleAtMs: number };
type Deps = Resolved<typeof callDependencies> & { clock: { now: () => number } };

/**
 * An account's webhook accepts connections and never answers, another's responds: with the service's own calls, rests and shares, in
 * simulated time. The queue is a plain one: fair queues only help. Returns the ms from each event of the other to its call, and
 * how often the silent one was called.
 */
export async function simulateSilentWebhook(
  perSecond: { silent: number; other: number },
  seconds: number,
): Promise<{ waitedMs: number[]; silentCalls: number }> {
  const trigger = webhookWorkers.find(({ name }) => name === 'call-webhooks')?.trigger;
  const environments = trigger?.kind === 'queue' ? (trigger.concurrencyMax ?? 0) : 0;
  let nowMs = START_MS;
  let silentCalls = 0;
  let busy = 0;
  const waitedMs: number[] = [];
  const queue: Queued[] = [];
  const sleepers: { untilMs: number; wake: () => void }[] = [];
  const request = async ({ url }: { url: string }): Promise<GuardedResponse> => {
    const isSilent = url.includes('silent');
    if (isSilent) silentCalls += 1;
    const untilMs = nowMs + (isSilent ? TIMEOUT_MS : WORKING_MS);
    await new Promise<void>((wake) => sleepers.push({ untilMs, wake }));
    if (isSilent) return { kind: 'timeout' };
    const body = Buffer.alloc(0);
    return { kind: 'response', status: 200, headers: {}, body, truncated: false, durationMs: WORKING_MS };
  };
  const clock = { now: () => nowMs };
  const ring = {
    encrypt: async (_: object, text: string) => text,
    decrypt: async (_: object, text: string) => text,
  };
  const webhooks = createWebhooks(memoryTable(), ring, clock.now);
  const send = async (_: string, messages: readonly { body: string; delaySeconds?: number }[]) => {
    for (const { body, delaySeconds = 0 } of messages) {
      const visibleAtMs = nowMs + delaySeconds * SECOND_MS;
      if (body.includes('msg_'))
        queue.push({ call: JSON.parse(body), acceptedAtMs: visibleAtMs, visibleAtMs });
    }
    return [];
  };
  const depsOf = (): Deps => ({
    ...{ clock, machineClock: clock, jitter: Math.random, webhooks },
    webhookClient: createFairClient(only({ request }), { atOnceMax: BATCH, isPatient: true, now: clock.now }),
    queues: only({ send }),
    logs: only({}),
    webhookCalls: only({
      wait: async () => undefined,
      end: async () => undefined,
      isCurrent: async () => true,
    }),
    webhookHistory: only({ findOf: async () => undefined, record: async () => undefined }),
  });
  const processes = Array.from({ length: environments }, depsOf);
  const free = [...processes];
  const owners = Object.entries(perSecond);
  for (const [id] of owners)
    await webhooks.save(
      { accountId: id, environmentId: id },
      { url: `https://${id}.example.com/`, events: ['EMAIL_DELIVERED'] },
      nowMs,
    );
  const work = async (deps: Deps, batch: readonly Queued[]) => {
    busy += 1;
    const isFirst = ({ call }: Queued) => call.accountId === 'other' && call.attempt === 1;
    waitedMs.push(...batch.filter(isFirst).map(({ acceptedAtMs }) => nowMs - acceptedAtMs));
    await Promise.all(batch.map(({ call }) => makeCall(deps, call, 1)));
    busy -= 1;
    free.push(deps);
  };
  const owed = new Map<string, number>();
  for (const endMs = nowMs + seconds * SECOND_MS; nowMs < endMs; nowMs += TICK_MS) {
    for (const [id, rate] of owners) {
      const due = (owed.get(id) ?? 0) + (rate * TICK_MS) / SECOND_MS;
      owed.set(id, due % 1);
      for (let count = 0; count < Math.floor(due); count += 1)
        queue.push({ call: eventOf(id), acceptedAtMs: nowMs, visibleAtMs: nowMs });
    }
    for (const { wake } of sleepers.filter(({ untilMs }) => untilMs <= nowMs)) wake();
    sleepers.splice(0, sleepers.length, ...sleepers.filter(({ untilMs }) => untilMs > nowMs));
    await settled();
    queue.sort((left, right) => left.visibleAtMs - right.visibleAtMs);
    while (free.length > 0 && (queue[0]?.visibleAtMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const visible = queue.slice(0, BATCH).filter(({ visibleAtMs }) => visibleAtMs <= nowMs).length;
      const deps = free.shift();
      if (deps) void work(deps, queue.splice(0, visible));
      await settled();
    }
  }
  for (; busy > 0; await settled()) for (const { wake } of sleepers.splice(0)) wake();
  return { waitedMs, silentCalls };
}

const eventOf = (id: string): WebhookCall => ({
  ...{
    id: `msg_${newId()}`,
    accountId: id,
    environmentId: id,
    eventType: 'EMAIL_DELIVERED' as const,
    body: '{}',
  },
  ...{ attempt: 1, attemptsMax: 10, isAboutUser: true },
});

const OUTAGE_HOURS = 6;
const SAMPLES = 200;
/** Spreads what is drawn evenly, so that every run has the same figure. */
const GOLDEN = 0.618;

/**
 * Seconds that an email is in flight while its provider fails for six hours, with the service's own waits. At any moment of the
 * outage, as many messages as arrive in that time are in flight. `afterSeconds`: the wait that the provider asks for.
 */
export async function secondsInFlight(afterSeconds?: number, hours = OUTAGE_HOURS): Promise<number> {
  let total = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    let nowMs = START_MS;
    let waitsUntilMs = 0;
    let draws = 0;
    const deps = {
      clock: { now: () => nowMs },
      jitter: () => (sample / SAMPLES + GOLDEN * ++draws) % 1,
      logs: only<Parameters<typeof tryLater>[0]['logs']>({ append: async () => true }),
      deliveryRetries: only<Parameters<typeof tryLater>[0]['deliveryRetries']>({
        wait: async (_: object, dueAtMs: number) => {
          waitsUntilMs = dueAtMs;
        },
      }),
      queues: {
        send: async (_: string, [message]: readonly { body: string }[]) => {
          waitsUntilMs = JSON.parse(message?.body ?? '').dueAtMs;
          return [];
        },
      },
    };
    const log = only<Parameters<typeof tryLater>[1]['log']>({
      head: { trackingId: 't', request: {} },
      events: [],
    });
    for (let attempt = 1; nowMs < START_MS + hours * HOUR_SECONDS * SECOND_MS; attempt += 1) {
      const trying = {
        ...{ channel: 'EMAIL' as const, attempt, log, receives: attempt, nowMs, timeLeftMs: () => 30_000 },
        triedForMs: EMAIL_RETRY_HOURS * HOUR_SECONDS * SECOND_MS,
        body: { trackingId: 't' },
      };
      const outcome = await tryLater(deps, trying, { internal: 'no', ...defined({ afterSeconds }) });
      if (outcome === 'done') nowMs = waitsUntilMs;
      else {
        nowMs += outcome.againSeconds * SECOND_MS;
        total += outcome.againSeconds;
      }
    }
  }
  return total / SAMPLES;
}

/** Sends a second, and for how many. */
const TYPE_LOADS = [
  [1, 3600],
  [100, 60],
  [1000, 10],
] as const;
/** Functions that take a place at the same moment: a read and a write take 10 ms. */
const SENDERS = 10;
/** The notification and its entry in the feed. */
const STORED_UNITS = 2;

/**
 * A limit of a whole type that is reached exactly. Returns the share that was refused while places were free, what was admitted
 * over the limit, write units of a send while half of the places are free, and how many writes were repeated at the last ones.
 */
export async function simulateTypeLimit(
  perSecond: number,
  seconds: number,
): Promise<{ refusedWrongly: number; over: number; units: number; repeated: number }> {
  let nowMs = START_MS;
  let [units, admitted, refused] = [0, 0, 0];
  let halfUnits = 0;
  const table = memoryTable();
  const counted: Database = {
    ...table,
    // A write whose condition fails costs as much.
    async update(...write) {
      await settled();
      const outcome = await table.update(...write);
      units += writeUnitsOf((outcome.written ? outcome.item : outcome.current) ?? {});
      return outcome;
    },
  };
  const max = perSecond * seconds;
  const config = {
    max,
    period: seconds,
    unit: 'seconds' as const,
    scope: ['notificationId' as const],
    forever: false,
  };
  const limit = { environmentId: 'bench', throttling: { scope: 'type-bench', config: only<never>(config) } };
  const senders = Array.from({ length: SENDERS }, () => createThrottlePlaces(counted));
  for (let sent = 0; sent < max; sent += SENDERS) {
    nowMs = START_MS + Math.floor((sent * SECOND_MS) / perSecond);
    const places = await Promise.all(senders.map((sender) => sender.take(limit, nowMs)));
    admitted += places.filter((place) => place !== undefined).length;
    refused += places.filter((place) => place === undefined).length;
    if (admitted <= max / 2) halfUnits = units / admitted;
  }
  const spent = units;
  const after = await Promise.all(senders.map((sender) => sender.take(limit, nowMs)));
  const over = admitted + after.filter((place) => place !== undefined).length - max;
  return {
    refusedWrongly: refused / max,
    over: Math.max(0, over),
    units: halfUnits + STORED_UNITS,
    repeated: spent - admitted,
  };
}

const EVENTS = 20_000;

/** Events per second of one webhook until a partition of its list of calls has 1,000 writes: each event is one. */
export function eventsPerSecond(): number {
  const counts = new Map<string, number>();
  for (let count = 0; count < EVENTS; count += 1) {
    const { pk } = webhookHistoryKey('bench', 'webhook', '2026-11-20T10:00:00.000Z', `msg_${newId()}`);
    counts.set(pk, (counts.get(pk) ?? 0) + 1);
  }
  return (WRITES_PER_PARTITION * EVENTS) / Math.max(...counts.values());
}

/** What one customer, host or provider takes from the others. */
export async function measureNeighbours(): Promise<Figure[]> {
  const { waitedMs, silentCalls } = await simulateSilentWebhook({ silent: 100, other: 2 }, 60);
  const waits = await Promise.all([undefined, 10, 60].map((asked) => secondsInFlight(asked)));
  const limits = new Map<number, Awaited<ReturnType<typeof simulateTypeLimit>>>();
  for (const [perSecond, seconds] of TYPE_LOADS)
    limits.set(perSecond, await simulateTypeLimit(perSecond, seconds));
  const silent = 'A webhook that never answers, 100 events a second, beside another account, simulated';
  const type = 'A limit of a whole type, ten sends at the same moment, simulated';
  return [
    ...[50, 100].map((share) => ({
      ...{ part: silent, name: `event of the other account to its call, p${share}`, unit: 'ms' },
      ...{ value: percentileOf(waitedMs, share), target: share === 50 ? 1000 : TIMEOUT_MS },
    })),
    { part: silent, name: 'calls of the silent webhook in a minute', value: silentCalls, unit: '' },
    ...waits.map((perMessage, index) => ({
      ...{ part: 'A provider that fails for six hours, simulated', unit: '', target: 120_000 },
      name: `messages in flight, 1,000 that fail a second${['', ', asking for 10 s', ', asking for 60 s'][index]}`,
      value: perMessage * 1000,
    })),
    ...[...limits].flatMap(([perSecond, { refusedWrongly, over, units, repeated }]) => [
      { part: type, name: `${perSecond} a second: write units of a send`, value: units, unit: '', target: 3 },
      { part: type, name: '    writes repeated until its last place is taken', value: repeated, unit: '' },
      {
        ...{ part: type, name: '    refused while places are free', unit: '%', target: 1 },
        value: 100 * refusedWrongly,
      },
      { part: type, name: '    admitted over the limit', value: over, unit: '', target: 0 },
    ]),
    {
      ...{ part: "A webhook's list of calls", name: 'events per second without a throttle' },
      ...{ value: eventsPerSecond(), unit: '/s', least: 10_000 },
    },
  ];
}
