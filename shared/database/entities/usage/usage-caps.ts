import { type Cap, exceededCaps } from '../../../domain/costs/usage-caps.ts';
import { billingPeriodOf } from '../../../domain/costs/usage-months.ts';
import { createCache } from '../../../runtime/async/cache.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { byChannel, type Channel } from '../../../schemas/channel.ts';
import type { Item } from '../../table.ts';
import type { Account } from '../accounts/accounts.ts';
import { capsOf } from '../accounts/organizations.ts';
import { type Spending, type UsageCounters, usageCounters } from './usage-counters.ts';

/** Caps are evaluated on counts at most this old. */
const COUNTS_AGE_MS_MAX = 10_000;
const CACHED_ACCOUNTS_MAX = 1000;

/** Returns an account's spending in the billing period of `nowMs`, on counts at most ten seconds old. */
type ReadSpending = (accountId: string, anchorDate: string, nowMs: number) => Promise<Spending>;

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

export type UsageCaps = {
  /** Caps reached in the billing period of `nowMs`, on counts at most ten seconds old; the caps are as given. */
  findExceeded(account: Account, organization: Item | undefined, nowMs: number): Promise<Cap[]>;
  /** As `findExceeded`, for a function of what else has been accepted since, by channel. */
  findExceededAfter(
    account: Account,
    organization: Item | undefined,
    nowMs: number,
  ): Promise<(accepted: Partial<Record<Channel, number>>) => Cap[]>;
};

function createUsageCaps(counters: Pick<UsageCounters, 'spendingOf'>): UsageCaps {
  const readSpending = createSpendingReader(counters);

  const usageCaps: UsageCaps = {
    async findExceeded(account, organization, nowMs) {
      return (await usageCaps.findExceededAfter(account, organization, nowMs))({});
    },
    async findExceededAfter(account, organization, nowMs) {
      const caps = capsOf(account, organization);
      if (caps.allowOverage) return () => [];
      const { counts, costUsd, heldUsd } = await readSpending(account.accountId, caps.anchorDate, nowMs);
      return (accepted) =>
        exceededCaps(caps, {
          counts: byChannel((channel) => counts[channel] + (accepted[channel] ?? 0)),
          costUsd: costUsd + heldUsd,
        });
    },
  };
  return usageCaps;
}

export const usageCaps = dependency('usageCaps', () => createUsageCaps(resolve(usageCounters)));
