import * as v from 'valibot';
import { createLoadingCache } from '../../runtime/cache.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/durations.ts';
import { type Database, database } from '../database.ts';
import { reserveKey, reservePartKey } from '../keys/usage.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

/** A cap: its limit, and a read of how much of it is counted, both in messages or both in millionths of a USD. */
type ReservedCap = {
  accountId: string;
  cap: string;
  limit: number;
  readCount: () => Promise<number>;
};

/** An amount to subtract from a reserve. */
type Part = {
  amount: number;
  nowMs: number;
  /** A part with a name is subtracted only once, however often and by how many workers, for an hour. */
  name?: string | undefined;
  /** True if this process may subtract more than it needs while much is left, for its next parts of the same window. */
  mayTakeAhead?: boolean;
};

/**
 * Limits messages that are not counted yet under a nearly reached cap: at most the remainder and one percent of the cap,
 * for all processes together.
 */
export type UsageReserves = {
  /**
   * Subtracts a part; false if less is left. One write; one transaction of two writes with a name; ahead, one write for
   * many parts and none for most.
   */
  take(cap: ReservedCap, part: Part): Promise<boolean>;
};

const WINDOW_MS = 10_000;
const OVERRUN = 0.01;
const KEPT_SECONDS = 3600;
const CACHED_MAX = 1000;
/** A process takes at most this share of what is left ahead: others find enough until the next window. */
const AHEAD_SHARE = 1 / 2000;

const TAKE =
  'SET allowed = if_not_exists(allowed, :allowed), counted = if_not_exists(counted, :base), ' +
  'uncounted = if_not_exists(uncounted, :uncounted), ' +
  'remaining = if_not_exists(remaining, :allowed) + :taken, expiresAt = :expiry';

const StoredReserve = v.object({
  allowed: v.number(),
  remaining: v.number(),
  /** At the start of the window: the count, and the part of the window before that it lacked. */
  counted: v.number(),
  uncounted: v.number(),
});
type StoredReserve = v.InferOutput<typeof StoredReserve>;

/** A cap with the one percent by which it may be exceeded. */
export const limitOf = (cap: number) => cap + Math.floor(cap * OVERRUN);

/** The state at the start of a window, and the amount that this process has subtracted ahead. */
type Allowance = { base: number; uncounted: number; allowed: number; ahead: number };

/**
 * Returns the amount subtracted in a window that the count `base` does not include yet. Later counts belong first to the
 * windows before it.
 */
function uncountedOf({ allowed, remaining, counted, uncounted }: StoredReserve, base: number): number {
  const ofWindow = Math.max(0, base - counted - uncounted);
  return Math.max(0, allowed - remaining - ofWindow);
}

/** Reserves with what one process holds ahead. */
export function createUsageReserves(table: Database): UsageReserves {
  const allowances = createLoadingCache<Allowance>({ max: CACHED_MAX });

  /** The remainder, without messages that the previous window accepted and that are not counted yet. */
  async function loadAllowance(
    { accountId, cap, limit, readCount }: ReservedCap,
    window: number,
  ): Promise<Allowance> {
    const [base, item] = await Promise.all([
      readCount(),
      table.get(reserveKey(accountId, cap, window - 1), { consistent: true }),
    ]);
    const uncounted = item ? uncountedOf(readStored('usage reserve', StoredReserve, item), base) : 0;
    return { base, uncounted, allowed: limitOf(limit) - base - uncounted, ahead: 0 };
  }

  function allowanceOf(cap: ReservedCap, window: number) {
    const name = `${cap.accountId} ${cap.cap} ${cap.limit} ${window}`;
    return allowances.get(name, () => loadAllowance(cap, window));
  }

  return {
    async take(cap, { amount, nowMs, name, mayTakeAhead = false }) {
      const { accountId } = cap;
      const window = Math.floor(nowMs / WINDOW_MS);
      const allowance = await allowanceOf(cap, window);
      const { base, uncounted, allowed } = allowance;
      const key = reserveKey(accountId, cap.cap, window);
      const expiresAt = secondsAfter(nowMs, KEPT_SECONDS);
      const open = (taken: number) => ({
        condition: `${allowed >= taken ? 'attribute_not_exists(remaining) OR ' : ''}remaining >= :amount`,
        values: {
          ':allowed': allowed,
          ':base': base,
          ':uncounted': uncounted,
          ':expiry': expiresAt,
          ':amount': taken,
          ':taken': -taken,
        },
      });
      const ahead = mayTakeAhead ? Math.floor(allowed * AHEAD_SHARE) : 0;
      if (ahead > amount) {
        if (allowance.ahead < amount && (await table.update(key, TAKE, open(ahead))).written)
          allowance.ahead += ahead;
        if (allowance.ahead >= amount) {
          allowance.ahead -= amount;
          return true;
        }
      }
      if (name === undefined) return (await table.update(key, TAKE, open(amount))).written;
      const put = { ...reservePartKey(accountId, cap.cap, name), expiresAt };
      return untilSettled(async () => {
        const outcome = await table.transact([
          { put, condition: 'attribute_not_exists(pk)' },
          { update: key, expression: TAKE, ...open(amount) },
        ]);
        if (outcome.written) return true;
        if (outcome.failed.length === 0) return AGAIN;
        return outcome.failed.some(({ index }) => index === 0);
      });
    },
  };
}

export const usageReserves = dependency('usageReserves', () => createUsageReserves(resolve(database)));
