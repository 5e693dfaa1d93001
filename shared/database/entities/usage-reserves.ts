import * as v from 'valibot';
import { createLoadingCache } from '../../runtime/cache.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/seconds.ts';
import { type Database, database } from '../database.ts';
import { reserveKey, reservePartKey } from '../keys.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

/** A cap on messages of one channel: its limit, and a read of its current count. */
type ReservedCap = {
  accountId: string;
  cap: string;
  limit: number;
  readCount: () => Promise<number>;
};

/**
 * Number that may still be accepted under a nearly reached cap while sent messages are not counted yet: at most the
 * remainder and one percent of the cap, for all processes together.
 */
export type UsageReserves = {
  /**
   * Subtracts one message from the reserve; false if it is used up. With `name` it has its part only once, however often and
   * by how many workers it is subtracted, for an hour. One write, with `name` one transaction.
   */
  take(cap: ReservedCap, nowMs: number, name?: string): Promise<boolean>;
};

const WINDOW_MS = 10_000;
const OVERRUN = 0.01;
const KEPT_SECONDS = 3600;
const CACHED_MAX = 1000;

const TAKE =
  'SET allowed = if_not_exists(allowed, :allowed), counted = if_not_exists(counted, :base), expiresAt = :expiry ADD taken :one';

const StoredReserve = v.object({ allowed: v.number(), counted: v.number(), taken: v.number() });

function createUsageReserves(table: Database): UsageReserves {
  const allowances = createLoadingCache<{ base: number; allowed: number }>({ max: CACHED_MAX });

  /** The remainder, without messages that the previous window accepted and that are not counted yet. */
  async function loadAllowance({ accountId, cap, limit, readCount }: ReservedCap, window: number) {
    const [base, item] = await Promise.all([
      readCount(),
      table.get(reserveKey(accountId, cap, window - 1), { consistent: true }),
    ]);
    const before = item && readStored('usage reserve', StoredReserve, item);
    const uncounted = before ? Math.max(0, before.taken - Math.max(0, base - before.counted)) : 0;
    return { base, allowed: limit - base - uncounted + Math.floor(limit * OVERRUN) };
  }

  function allowanceOf(cap: ReservedCap, window: number) {
    const name = `${cap.accountId} ${cap.cap} ${cap.limit} ${window}`;
    return allowances.get(name, () => loadAllowance(cap, window));
  }

  return {
    async take(cap, nowMs, name) {
      const { accountId } = cap;
      const window = Math.floor(nowMs / WINDOW_MS);
      const { base, allowed } = await allowanceOf(cap, window);
      const key = reserveKey(accountId, cap.cap, window);
      const expiresAt = secondsAfter(nowMs, KEPT_SECONDS);
      const open = {
        condition: allowed > 0 ? 'attribute_not_exists(allowed) OR taken < allowed' : 'taken < allowed',
        values: { ':allowed': allowed, ':base': base, ':expiry': expiresAt, ':one': 1 },
      };
      if (name === undefined) return (await table.update(key, TAKE, open)).written;
      const put = { ...reservePartKey(accountId, cap.cap, name), expiresAt };
      return untilSettled(async () => {
        const outcome = await table.transact([
          { put, condition: 'attribute_not_exists(pk)' },
          { update: key, expression: TAKE, ...open },
        ]);
        if (outcome.written) return true;
        if (outcome.failed.length === 0) return AGAIN;
        return outcome.failed.some(({ index }) => index === 0);
      });
    },
  };
}

export const usageReserves = dependency('usageReserves', () => createUsageReserves(resolve(database)));
