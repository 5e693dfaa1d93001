import type { SQSBatchResponse } from 'aws-lambda';
import { WORKERS } from '../../functions/workers.ts';
import { sweepKey } from '../../shared/database/keys/account.ts';
import { timeOfIndexSk } from '../../shared/database/keys/indexes.ts';
import { sqsEvent } from '../support/workers.ts';
import { recordFailure } from './mutant.ts';
import { createStreamDrive } from './stream-drive.ts';
import type { Outcome, World } from './world.ts';

type Handler = (event: unknown, context: { getRemainingTimeInMillis(): number }) => Promise<unknown>;
const handlers = new Map<string, Handler>();
const TIMEOUTS_MS = new Map(WORKERS.map(({ name, timeoutSeconds }) => [name, timeoutSeconds * 1000]));

export async function loadHandlers(): Promise<void> {
  for (const { name, concern } of WORKERS) {
    const { handler } = await import(`../../functions/workers/${concern}/${name}.ts`);
    handlers.set(name, handler);
  }
}

/** Drives a world: stream reader, queue pollers, sweeper and clock. */
export type Drive = {
  /** Runs everything that is due until then, and moves the clock there. */
  settleUntil(atMs: number): Promise<void>;
  /** A client's request, which may die or stall like every other invocation. */
  request<T>(run: () => Promise<T>, options?: { isOperator: boolean }): Promise<Outcome<T>>;
};

const JUMP_MS = 50 * 60_000;
const BEHIND_MS = 3000;
const MINUTE_MS = 60_000;
/** At one moment. */
const ROUNDS_MAX = 1000;
/** A sweep reads this far back before the last sweep, which read two minutes ahead. */
const LOOK_BACK_MS = 4 * MINUTE_MS;

type Stalled = { untilMs: number; resume(): Promise<void> };

export function createDrive(world: World): Drive {
  const queueWorkers = WORKERS.flatMap(({ name, trigger }) =>
    trigger.kind === 'queue' || trigger.kind === 'events' ? [{ name, ...trigger }] : [],
  );
  const topicWorkers = WORKERS.flatMap(({ name, trigger }) => (trigger.kind === 'topic' ? [name] : []));
  let stalled: Stalled | undefined;

  /** Runs a function; `onEnd` follows when it ends, immediately or after it stalled. */
  async function run<T>(
    name: string,
    event: unknown,
    onEnd: (outcome: Outcome<T>, isLate?: boolean) => void,
  ): Promise<void> {
    const fault = world.faultAt(`invoke ${name}`, 'delivery');
    if (fault === 'late') return onEnd({ kind: 'killed' }, true);
    if (fault === 'clock jump') world.nowMs += JUMP_MS;
    const invoked = await world.invoke(
      async () => {
        const invocation = world.running();
        if (fault === 'clock behind' && invocation) invocation.skewMs = -BEHIND_MS;
        const endsAtMs = world.mutant?.isTimeUnlimited ? undefined : invocation?.endsAtMs;
        const getRemainingTimeInMillis = () => (endsAtMs ?? Number.POSITIVE_INFINITY) - world.nowMs;
        return handlers.get(name)?.(event, { getRemainingTimeInMillis }) as Promise<T>;
      },
      { timeoutMs: TIMEOUTS_MS.get(name) ?? Number.POSITIVE_INFINITY },
    );
    const settle = (outcome: Outcome<T>) =>
      onEnd(fault === 'duplicate' && outcome.kind === 'done' ? { kind: 'killed' } : outcome);
    if (invoked.kind !== 'stalled') return settle(invoked);
    stalled = {
      untilMs: invoked.untilMs,
      resume: async () => settle(await invoked.resume()),
    };
  }

  async function drainQueue({ name, queue, batchSize }: (typeof queueWorkers)[number]): Promise<boolean> {
    const messages = world.queues.receive(queue, Math.min(10, batchSize));
    if (messages.length === 0) return false;
    let faults: typeof messages = [];
    await run<SQSBatchResponse>(
      name,
      sqsEvent(...messages.map(({ id, body, receives }) => ({ id, handle: id, body, attempt: receives }))),
      (outcome) => {
        if (outcome.kind !== 'done') return;
        const failed = new Set(outcome.value.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        const isWholeBatch = failed.size > 0 && world.mutant?.failsWholeBatches === name;
        faults = messages.filter(({ id }) => failed.has(id));
        const done = isWholeBatch ? [] : messages.filter(({ id }) => !failed.has(id));
        world.queues.finish(queue, done);
      },
    );
    if (world.mutant?.isFaultFinal) for (const { body } of faults) await recordFailure(queue, body);
    return true;
  }

  const stream = createStreamDrive(world, run);

  /** Lambda's own queue of events: one invocation per notification, repeated when it fails. */
  async function drainTopic(name: string): Promise<boolean> {
    const messages = world.queues.receive(name, 1);
    if (messages.length === 0) return false;
    const Records = messages.map(({ body }) => ({ Sns: JSON.parse(body) }));
    await run<void>(name, { Records }, (outcome) => {
      if (outcome.kind === 'done') world.queues.finish(name, messages);
    });
    return true;
  }

  async function drainAll(): Promise<void> {
    let rounds = 0;
    for (let isBusy = true; isBusy; rounds += 1) {
      if (rounds > ROUNDS_MAX) throw new Error('the workers never become idle');
      isBusy = await stream.drain();
      for (const worker of queueWorkers) if (await drainQueue(worker)) isBusy = true;
      for (const name of topicWorkers) if (await drainTopic(name)) isBusy = true;
    }
  }

  /** The next tick of the sweeper that finds something: idle ticks are skipped. */
  function nextSweepMs(): number | undefined {
    const tick = (ms: number) => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
    const checkpoint = world.table.find(sweepKey());
    const positions = (checkpoint?.positions ?? ['']) as readonly string[];
    const fromMs = Math.min(...positions.map(timeOfIndexSk)) - LOOK_BACK_MS;
    const times = world.table.dueTimes().map(timeOfIndexSk);
    const first = times.find((dueMs) => dueMs >= fromMs);
    return first === undefined ? undefined : Math.max(tick(world.nowMs + 1), tick(first - 2 * MINUTE_MS));
  }

  async function settleUntil(atMs: number): Promise<void> {
    for (;;) {
      await drainAll();
      if (stalled && world.nowMs >= stalled.untilMs) {
        const { resume } = stalled;
        stalled = undefined;
        await resume();
        continue;
      }
      const sweepMs = nextSweepMs();
      const times = [
        ...[world.queues.nextVisibleAtMs(), sweepMs, stalled?.untilMs, ...stream.resumeTimesMs()],
      ].filter((ms) => ms !== undefined && ms > world.nowMs);
      const nextMs = Math.min(...times.map(Number));
      if (nextMs > atMs) break;
      world.nowMs = nextMs;
      if (nextMs === sweepMs) await run('sweep', {}, () => {});
    }
    world.nowMs = Math.max(world.nowMs, atMs);
  }

  return {
    settleUntil,
    async request(run, options) {
      let outcome = await world.invoke(run, options);
      if (outcome.kind !== 'stalled') return outcome;
      const { untilMs, resume } = outcome;
      await settleUntil(untilMs);
      outcome = await resume();
      return outcome;
    },
  };
}
