import * as v from 'valibot';
import { createCache, createLoadingCache } from '../../runtime/cache.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/durations.ts';
import { type Database, database } from '../database.ts';
import { reserveKey, reservePartKey } from '../keys/usage.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

/**
 * The counted part of a cap, and the sum of all parts whose messages are counted: it grows even if a price lowers
 * `counted`.
 */
type ReserveCount = { counted: number; settled: number };

/** A cap: its limit, and a read of how much of it is counted, all in messages or all in millionths of a USD. */
type ReservedCap = {
  accountId: string;
  cap: string;
  limit: number;
  readCount: () => Promise<ReserveCount>;
  /** A part that is not counted within this many windows of ten seconds is free again. */
  windowsKept: number;
};

/** An amount to subtract from a reserve. */
type Part = {
  amount: number;
  nowMs: number;
  /** A part with a name is subtracted only once while it is kept, however often and by how many workers. */
  name?: string | undefined;
  /** True if this process may subtract more than it needs while much is left, for its next parts. */
  mayTakeAhead?: boolean;
};

/**
 * Limits messages that are not counted yet under a nearly reached cap: at most the remainder and one percent of the cap,
 * for all processes together.
 */
export type UsageReserves = {
  /**
   * Subtracts a part; false if less is left. One write; one transaction of two writes with a name; ahead, one write for
   * many parts and none for most. The first part of a window takes one more write.
   */
  take(cap: ReservedCap, part: Part): Promise<boolean>;
};

const WINDOW_MS = 10_000;
const OVERRUN = 0.01;
const KEPT_SECONDS = 3600;
const CACHED_MAX = 1000;
/** A process subtracts at most this share in advance, so that enough is left for the others until it expires. */
const AHEAD_SHARE = 1 / 2000;
/** An advance of a process is valid for this many windows, so that it is counted while it is stored. */
const AHEAD_WINDOWS = 6;
/** A window further ahead was opened by a clock that is wrong. */
const CLOCK_WINDOWS_MAX = 6;

const StoredReserve = v.object({
  window: v.number(),
  /** At the start of the window, and now. */
  allowed: v.number(),
  remaining: v.number(),
  /** At the start of the window: the settled parts, and those that earlier windows subtracted and it lacked, oldest first. */
  settled: v.number(),
  uncounted: v.array(v.object({ window: v.number(), amount: v.number() })),
});
type StoredReserve = v.InferOutput<typeof StoredReserve>;

/** A cap with the one percent by which it may be exceeded. */
export const limitOf = (cap: number) => cap + Math.floor(cap * OVERRUN);

/** The part of `uncounted` that is left when parts of `growth` were settled, which belong to the oldest first. */
function leftOf(uncounted: StoredReserve['uncounted'], growth: number): StoredReserve['uncounted'] {
  let unattributed = growth;
  return uncounted.flatMap(({ window, amount }) => {
    const own = Math.min(amount, unattributed);
    unattributed -= own;
    return amount > own ? [{ window, amount: amount - own }] : [];
  });
}

/** The reserve of a window that begins with a count, after an earlier one. */
function nextReserve(
  { limit, windowsKept }: ReservedCap,
  window: number,
  { counted, settled }: ReserveCount,
  last: StoredReserve | undefined,
): StoredReserve {
  const subtracted = last
    ? [...last.uncounted, { window: last.window, amount: last.allowed - last.remaining }]
    : [];
  const growth = Math.max(0, settled - (last?.settled ?? settled));
  const uncounted = leftOf(subtracted, growth).filter((each) => window - each.window <= windowsKept);
  const allowed = limitOf(limit) - counted - uncounted.reduce((sum, { amount }) => sum + amount, 0);
  return { window, allowed, remaining: allowed, settled, uncounted };
}

/** The advance of this process, and the window in which it was subtracted. */
type Ahead = { window: number; amount: number };

/** Reserves, and the advance of one process on each. */
export function createUsageReserves(table: Database): UsageReserves {
  const opened = createLoadingCache<StoredReserve>({ max: CACHED_MAX });
  const aheads = createCache<Ahead>({ max: CACHED_MAX });

  /** Returns the reserve of the window, or of a later one that a faster clock has opened; opens it if it is the first. */
  function open(cap: ReservedCap, window: number): Promise<StoredReserve> {
    const key = reserveKey(cap.accountId, cap.cap);
    return untilSettled(async () => {
      const item = await table.get(key, { consistent: true });
      const last = item && readStored('usage reserve', StoredReserve, item);
      if (last && last.window >= window && last.window - window <= CLOCK_WINDOWS_MAX) return last;
      const next = nextReserve(cap, window, await cap.readCount(), last);
      const expiresAt = secondsAfter(window * WINDOW_MS, KEPT_SECONDS);
      const { written } = await table.put({ ...key, ...next, expiresAt }, last ? asRead(last) : NONE);
      return written ? next : AGAIN;
    });
  }

  /** Subtracts an amount in a window; false if less is left, AGAIN if the window has ended. */
  async function subtract(
    cap: ReservedCap,
    window: number,
    { amount, nowMs, name }: Part,
  ): Promise<boolean | typeof AGAIN> {
    const { accountId } = cap;
    const update = reserveKey(accountId, cap.cap);
    const places = placesOf(window, amount);
    const refused = async () => ((await open(cap, window)).window > window ? AGAIN : false);
    if (name === undefined) return (await table.update(update, SUBTRACT, places)).written || refused();
    const part = { ...reservePartKey(accountId, cap.cap, name), window };
    const outcome = await table.transact([
      { put: { ...part, expiresAt: secondsAfter(nowMs, KEPT_SECONDS) }, ...unlessKept(window, cap) },
      { update, expression: SUBTRACT, ...places },
    ]);
    if (outcome.written) return true;
    if (outcome.failed.length === 0) return AGAIN;
    return outcome.failed.some(({ index }) => index === 0) || refused();
  }

  /** Uses a part of this process's advance, and renews it; returns false if it may not. */
  async function takeAhead(cap: ReservedCap, { window, allowed }: StoredReserve, part: Part) {
    const chunk = Math.floor(allowed * AHEAD_SHARE);
    if (!part.mayTakeAhead || chunk <= part.amount) return false;
    const id = `${cap.accountId} ${cap.cap} ${cap.limit}`;
    const held = () => {
      const ahead = aheads.find(id);
      return ahead && window - ahead.window <= AHEAD_WINDOWS ? ahead : { window, amount: 0 };
    };
    if (held().amount < part.amount) {
      const isTaken = await subtract(cap, window, { amount: chunk, nowMs: part.nowMs });
      const before = held();
      // What is left of an earlier window is less than a part: the new advance must not expire with it.
      const rest = before.window === window ? before.amount : 0;
      if (isTaken === true) aheads.keep(id, { window, amount: rest + chunk });
    }
    const ahead = held();
    if (ahead.amount < part.amount) return false;
    ahead.amount -= part.amount;
    aheads.keep(id, ahead);
    return true;
  }

  return {
    take(cap, part) {
      const window = Math.floor(part.nowMs / WINDOW_MS);
      const id = `${cap.accountId} ${cap.cap} ${cap.limit} ${window}`;
      return untilSettled(async () => {
        const reserve = await opened.get(id, () => open(cap, window));
        if (await takeAhead(cap, reserve, part)) return true;
        const outcome = await subtract(cap, reserve.window, part);
        if (outcome === AGAIN) opened.delete(id);
        return outcome;
      });
    },
  };
}

const SUBTRACT = 'SET remaining = remaining - :amount';
const NONE = { condition: 'attribute_not_exists(pk)' };
const WINDOW_NAME = { '#window': 'window' };

/** The condition that as much is left in the window. */
const placesOf = (window: number, amount: number) => ({
  condition: '#window = :window AND remaining >= :amount',
  names: WINDOW_NAME,
  values: { ':window': window, ':amount': amount },
});

/** The condition that nothing was subtracted since the reserve was read. */
const asRead = ({ window, remaining }: StoredReserve) => ({
  condition: '#window = :window AND remaining = :remaining',
  names: WINDOW_NAME,
  values: { ':window': window, ':remaining': remaining },
});

/** The condition that a part was not subtracted before, or so long ago that it is free again. */
const unlessKept = (window: number, { windowsKept }: ReservedCap) => ({
  condition: 'attribute_not_exists(pk) OR attribute_not_exists(#window) OR #window < :oldest',
  names: WINDOW_NAME,
  values: { ':oldest': window - windowsKept },
});

export const usageReserves = dependency('usageReserves', () => createUsageReserves(resolve(database)));
