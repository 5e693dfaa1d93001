import * as v from 'valibot';
import { createLoadingCache } from '../../runtime/cache.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/seconds.ts';
import { type Database, database } from '../database.ts';
import { reserveKey } from '../keys.ts';
import { readStored } from './stored.ts';

/** A cap on messages of one channel: its limit, and a read of what has been counted under it until now. */
type ReservedCap = {
  accountId: string;
  cap: string;
  limit: number;
  readCount: () => Promise<number>;
};

/**
 * What may still be accepted under a cap that is near, while sent messages are not counted yet: at most what is left and
 * one percent of the cap, for all processes together.
 */
export type UsageReserves = {
  /** Takes one message out of the reserve; false if it is used up. One write. */
  take(cap: ReservedCap, nowMs: number): Promise<boolean>;
};

const WINDOW_MS = 10_000;
const OVERRUN = 0.01;
const KEPT_SECONDS = 3600;
const CACHED_MAX = 1000;

const StoredReserve = v.object({ allowed: v.number(), counted: v.number(), taken: v.number() });

function createUsageReserves(table: Database): UsageReserves {
  const allowances = createLoadingCache<{ base: number; allowed: number }>({ max: CACHED_MAX });

  /** What is left, without what the window before has accepted and nobody has counted yet. */
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
    async take(cap, nowMs) {
      const window = Math.floor(nowMs / WINDOW_MS);
      const { base, allowed } = await allowanceOf(cap, window);
      const isOpen = allowed > 0 ? 'attribute_not_exists(allowed) OR taken < allowed' : 'taken < allowed';
      const outcome = await table.update(
        reserveKey(cap.accountId, cap.cap, window),
        'SET allowed = if_not_exists(allowed, :allowed), counted = if_not_exists(counted, :base), expiresAt = :expiry ADD taken :one',
        {
          condition: isOpen,
          values: {
            ':allowed': allowed,
            ':base': base,
            ':expiry': secondsAfter(nowMs, KEPT_SECONDS),
            ':one': 1,
          },
        },
      );
      return outcome.written;
    },
  };
}

export const usageReserves = dependency('usageReserves', () => createUsageReserves(resolve(database)));
