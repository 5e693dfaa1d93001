import { billingPeriodOf } from '../../domain/usage-months.ts';
import { createCache } from '../../runtime/cache.ts';
import type { Spending, UsageCounters } from './usage-counters.ts';

/** Caps are evaluated on counts at most this old. */
const COUNTS_AGE_MS_MAX = 10_000;
const CACHED_ACCOUNTS_MAX = 1000;

/** Returns an account's spending in the billing period of `nowMs`, on counts at most ten seconds old. */
export type ReadSpending = (accountId: string, anchorDate: string, nowMs: number) => Promise<Spending>;

/** Reads spending through a cache of this process. */
export function createSpendingReader(counters: Pick<UsageCounters, 'spendingOf'>): ReadSpending {
  const cached = createCache<{ spending: Promise<Spending>; readAtMs: number }>({ max: CACHED_ACCOUNTS_MAX });
  return (accountId, anchorDate, nowMs) => {
    const period = billingPeriodOf(anchorDate, nowMs);
    const key = `${accountId} ${period.startDate} ${period.endDate}`;
    const hit = cached.find(key);
    if (hit && Math.abs(nowMs - hit.readAtMs) < COUNTS_AGE_MS_MAX) return hit.spending;
    const spending = counters.spendingOf(accountId, period, nowMs);
    cached.keep(key, { spending, readAtMs: nowMs });
    spending.catch(() => cached.delete(key));
    return spending;
  };
}
