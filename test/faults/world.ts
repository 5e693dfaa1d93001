import { AsyncLocalStorage } from 'node:async_hooks';
import { WORKERS } from '../../functions/workers.ts';
import { dropMade } from '../../shared/runtime/dependency.ts';
import type { CallKind, Fault, Outage, Planned } from './faults.ts';
import { createMemoryQueues, type MemoryQueues } from './memory-queues.ts';
import { createMemoryTable, type MemoryTable } from './memory-table.ts';
import type { Mutant } from './mutant.ts';
import type { Accepted, Script } from './script.ts';

/** A deployment in memory: table, queues, clock and providers. Faults happen at the calls that leave a function. */
export type World = {
  nowMs: number;
  /** Now, as the running function's machine has it. */
  now(): number;
  table: MemoryTable;
  queues: MemoryQueues;
  blobs: Map<string, Uint8Array>;
  mutant: Mutant | undefined;
  /** The calls so far, of armed worlds. */
  calls: { name: string; kind: CallKind }[];
  faulted: { name: string; fault: Fault } | undefined;
  outage: Outage | undefined;
  /** Until then, nothing reads the stream. */
  streamDownUntilMs: number;
  /** Messages that providers accepted. */
  accepted: Accepted[];
  /** Messages that a provider can accept a second time: a fault came between the acceptance and its record. */
  mayRepeat: Set<string>;
  /** Messages that receivers of webhooks, sockets and callers of prices got. */
  posts: { id: string; body: string; status: number }[];
  pushes: string[];
  script: Script;
  /** One call that leaves a function. */
  external<T>(name: string, kind: CallKind, effect: () => Promise<T>, onThrottle?: () => T): Promise<T>;
  /** Runs one invocation until it ends, dies, stalls or its time is over. */
  invoke<T>(run: () => Promise<T>, limits?: Limits): Promise<Outcome<T>>;
  /** Time that a provider needs for its response: a function whose time ends in the meantime is stopped. */
  spend(ms: number): Promise<void>;
  /** The planned fault, when this is its call. */
  faultAt(name: string, kind: CallKind): Fault | undefined;
  /** Counts calls from now on, and plans the fault at the call of that number. */
  arm(planned: Planned | undefined): void;
  /** The function that calls now: outside of one, nothing fails. */
  running(): Invocation | undefined;
  /** Lets every call of that name fail for a while. */
  breakDown(outage: Outage): void;
  disarm(): void;
};

/** Limits of an invocation, and whether an operator made it. */
type Limits = { timeoutMs?: number; isOperator?: boolean };

type Invocation = {
  /** The world that it runs in: work left by a run must not continue in the next run. */
  world: World;
  isDead: boolean;
  /** It stored something that was there before. */
  hasRepeated: boolean;
  skewMs: number;
  /** When its function is stopped. */
  endsAtMs: number;
  isOperator: boolean;
  /** Messages that the provider accepted and that are not recorded yet. */
  open: Set<string>;
  /** Messages that a provider has and has not responded to. */
  calling: Set<string>;
  signal(outcome: Outcome<never>): void;
};

export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'failed'; error: unknown }
  | { kind: 'killed' }
  | { kind: 'stalled'; untilMs: number; resume(): Promise<Outcome<T>> };

export const START_MS = Date.parse('2026-11-21T08:30:00.000Z');
const THROTTLED_CALLS = 3;
const STALL_MS = 20_000;
/** Throttling is independent of the item that a write is about. */
const operationOf = (name: string) => name.split(' ').slice(0, 2).join(' ');
const never = () => new Promise<never>(() => {});
const running = new AsyncLocalStorage<Invocation>();

export function createWorld(mutant?: Mutant): World {
  const table = createMemoryTable();
  const live = new Set<Invocation>();
  let planned: Planned | undefined;
  let isArmed = false;
  let throttled: { name: string; left: number } | undefined;
  let outageUntilMs = 0;

  function isDown(name: string): boolean {
    if (throttled && name.startsWith(throttled.name) && throttled.left > 0) {
      throttled.left -= 1;
      return true;
    }
    return world.nowMs < outageUntilMs && world.outage?.names.some((each) => name.startsWith(each)) === true;
  }

  /** Requests at the same time are in one process here, and end with it. */
  function die(): Promise<never> {
    for (const invocation of live) {
      invocation.isDead = true;
      for (const name of invocation.open) world.mayRepeat.add(name);
      invocation.signal({ kind: 'killed' });
    }
    live.clear();
    return never();
  }

  /** Its function was not to call a provider so late, unless a fault took its time. */
  function end(invocation: Invocation): Promise<never> {
    invocation.isDead = true;
    if (world.faulted) for (const name of invocation.open) world.mayRepeat.add(name);
    live.delete(invocation);
    invocation.signal({ kind: 'killed' });
    return never();
  }

  function stall(invocation: Invocation): Promise<void> {
    return new Promise((go) => {
      const resume = () => {
        const next = new Promise<Outcome<never>>((settle) => {
          invocation.signal = settle;
        });
        go();
        return next;
      };
      invocation.signal({ kind: 'stalled', untilMs: world.nowMs + STALL_MS, resume });
    });
  }

  const world: World = {
    nowMs: START_MS,
    now: () => world.nowMs + (running.getStore()?.skewMs ?? 0),
    table,
    queues: createMemoryQueues(() => world.nowMs, WORKERS),
    blobs: new Map(),
    mutant,
    calls: [],
    faulted: undefined,
    outage: undefined,
    streamDownUntilMs: 0,
    accepted: [],
    mayRepeat: new Set(),
    posts: [],
    pushes: [],
    script: {},

    arm(fault) {
      isArmed = true;
      planned = fault;
    },

    breakDown(outage) {
      world.outage = outage;
      outageUntilMs = world.nowMs + outage.forMs;
    },

    disarm() {
      isArmed = false;
      throttled = undefined;
    },

    running: () => running.getStore(),

    faultAt(name, kind) {
      if (!isArmed) return undefined;
      const index = world.calls.push({ name, kind }) - 1;
      if (!planned || planned.at !== index || world.faulted) return undefined;
      world.faulted = { name, fault: planned.fault };
      return planned.fault;
    },

    async external(name, kind, effect, onThrottle) {
      const invocation = running.getStore();
      if (!invocation) return effect();
      if (invocation.isDead || invocation.world !== world) return never();
      const fault = world.faultAt(name, kind);
      if (fault === 'throttle') throttled = { name: operationOf(name), left: THROTTLED_CALLS };
      if (isDown(name)) {
        if (onThrottle) return onThrottle();
        throw new Error(`injected: ${name} is not available`);
      }
      if (fault === 'kill before') return die();
      if (fault === 'error before') throw new Error(`injected: ${name} failed`);
      if (fault === 'stall') await stall(invocation);
      const result = await effect();
      if (fault === 'kill after') return die();
      if (fault === 'lost response') throw new Error(`injected: the response to ${name} was lost`);
      return fault === 'error after' && onThrottle ? onThrottle() : result;
    },

    spend(ms) {
      world.nowMs += ms;
      const invocation = running.getStore();
      return invocation && world.nowMs > invocation.endsAtMs ? end(invocation) : Promise.resolve();
    },

    async invoke<T>(
      run: () => Promise<T>,
      { timeoutMs = Number.POSITIVE_INFINITY, isOperator = false }: Limits = {},
    ): Promise<Outcome<T>> {
      const invocation: Invocation = {
        world,
        isDead: false,
        hasRepeated: false,
        skewMs: 0,
        endsAtMs: world.nowMs + timeoutMs,
        isOperator,
        open: new Set(),
        calling: new Set(),
        signal: () => {},
      };
      live.add(invocation);
      const signalled = new Promise<Outcome<T>>((settle) => {
        invocation.signal = settle;
      });
      void running.run(invocation, run).then(
        (value) => (invocation.signal as (outcome: Outcome<T>) => void)({ kind: 'done', value }),
        (error: unknown) => invocation.signal({ kind: 'failed', error }),
      );
      void signalled.then(() => live.delete(invocation));
      const outcome = await signalled;
      if (outcome.kind === 'killed' || outcome.kind === 'stalled') await leaveProcess();
      return outcome;
    },
  };
  return world;
}

/**
 * Others continue in separate processes: none waits for work of a dead or stalled one. That one ends at its next call.
 */
async function leaveProcess(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resume) => setImmediate(resume));
  dropMade();
}
