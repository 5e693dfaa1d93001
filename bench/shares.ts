import { createShares, type Waiting } from '../functions/workers/delivery/waiting/shares.ts';
import type { TurnClocks } from '../shared/database/entities/sending/turn-clocks.ts';
import { type Figure, percentileOf } from './report.ts';

/** Processes of `dispatch`: a stream shard each. */
const PROCESSES = 4;
const TICK_MS = 100;

/** Accounts by name: how many messages each accepts per second, for how many. */
export type Load = Readonly<Record<string, { perSecond: number; count: number }>>;
type Message = Waiting & { acceptedAtMs: number };

/** Times from acceptance to the provider by account, in simulated ms, of a channel that takes `perSecond`: with the service's own shares. */
export async function simulateShares(
  perSecond: number,
  load: Load,
  seconds: number,
): Promise<Map<string, number[]>> {
  const queue: Message[] = [];
  let due: { atMs: number; message: Message }[] = [];
  const clocks = new Map<string, number>();
  const turnClocks: TurnClocks = {
    async take(_, accountId, spanMs, nowMs) {
      const startMs = Math.max(nowMs, clocks.get(accountId) ?? 0);
      clocks.set(accountId, startMs + spanMs);
      return startMs;
    },
    listBusy: async (_, nowMs) => [...clocks].flatMap(([id, nextMs]) => (nextMs > nowMs ? [id] : [])),
  };
  const sources = { turnClocks, queues: { countWaiting: async () => queue.length } };
  const processes = Array.from({ length: PROCESSES + 1 }, () => createShares(() => perSecond));
  const times = new Map<string, number[]>(Object.keys(load).map((accountId) => [accountId, []]));
  async function pass(messages: Message[], process: number, nowMs: number): Promise<void> {
    const turns = await processes[process]?.turnsOf(sources, 'EMAIL', messages, nowMs);
    for (const [index, message] of messages.entries()) {
      const atMs = turns?.[index];
      if (atMs === undefined) queue.push(message);
      else due.push({ atMs, message: { ...message, hasWaited: true } });
    }
  }
  const accepted = new Map<string, number>();
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += TICK_MS) {
    const ready = due.filter(({ atMs }) => atMs <= nowMs).sort((left, right) => left.atMs - right.atMs);
    due = due.filter(({ atMs }) => atMs > nowMs);
    await pass(
      ready.map(({ message }) => message),
      PROCESSES,
      nowMs,
    );
    for (const [accountId, { perSecond: rate, count }] of Object.entries(load)) {
      const before = accepted.get(accountId) ?? 0;
      const until = Math.min(count, Math.floor((rate * (nowMs + TICK_MS)) / 1000));
      accepted.set(accountId, until);
      for (let process = 0; process < PROCESSES; process += 1) {
        const own = Array.from({ length: until - before }, (_, index) => before + index)
          .filter((number) => number % PROCESSES === process)
          .map((): Message => ({ accountId, isUrgent: accountId.startsWith('urgent'), acceptedAtMs: nowMs }));
        await pass(own, process, nowMs);
      }
    }
    const called = queue.splice(0, Math.round((perSecond * TICK_MS) / 1000));
    for (const { accountId, acceptedAtMs } of called) times.get(accountId)?.push(nowMs - acceptedAtMs);
  }
  return times;
}

/** One email of another account while one account sends far more than the provider takes; in simulated time. */
export async function measureShares(): Promise<Figure[]> {
  const load = { busy: { perSecond: 1000, count: 10_000 }, single: { perSecond: 0.2, count: 30 } };
  const times = await simulateShares(60, load, 150);
  return [50, 99].map((share) => ({
    part: 'An email of another account while one account sends 17 times as much as a second of the provider takes, simulated',
    name: `acceptance to the provider, p${share}`,
    unit: 'ms',
    value: percentileOf(times.get('single') ?? [], share),
    ...(share === 50 ? { target: 1000 } : {}),
    note: '10,000 messages at 60 a second, a hundredth of a million at 6,000',
  }));
}
