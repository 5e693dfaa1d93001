import { type Cap, exceededCaps } from '../../domain/usage-caps.ts';
import { billingPeriodOf } from '../../domain/usage-months.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { byChannel, type Channel } from '../../schemas/channel.ts';
import type { Item } from '../table.ts';
import type { Account } from './accounts.ts';
import { capsOf } from './organizations.ts';
import { createSpendingReader } from './spending.ts';
import { type UsageCounters, usageCounters } from './usage-counters.ts';
import { type UsageReserves, usageReserves } from './usage-reserves.ts';

const RESERVED = [
  ['smsCap', 'SMS'],
  ['callCap', 'CALL'],
] as const satisfies [Cap, Channel][];
/** No account sends more while its counts are this old. */
const NEAR = 200_000;
/** Messages accepted a window ago are counted, or wait for their part of the reserve before they are sent. */
const WINDOWS_KEPT = 1;

/** Messages on channels, one each. `name` of what may be evaluated more than once: it takes its part only once. */
export type ReservedMessages = {
  channels: readonly Channel[];
  nowMs: number;
  name?: string | undefined;
};

/** Compares an account's usage with its caps. */
export type UsageCaps = {
  /** Caps reached in the billing period of `nowMs`, on counts at most ten seconds old; the caps are as given. */
  findExceeded(account: Account, organization: Item | undefined, nowMs: number): Promise<Cap[]>;
  /** As `findExceeded`, for a function of what else has been accepted since, by channel. */
  findExceededAfter(
    account: Account,
    organization: Item | undefined,
    nowMs: number,
  ): Promise<(accepted: Partial<Record<Channel, number>>) => Cap[]>;
  /**
   * Subtracts a message on each channel from the reserve of its cap, if that is near; the first cap whose reserve is
   * used up. Counts are seconds old: without it, full speed would overrun a cap by all that is accepted in the meantime.
   */
  findUsedUp(
    account: Account,
    organization: Item | undefined,
    messages: ReservedMessages,
  ): Promise<Cap | undefined>;
};

function createUsageCaps(
  counters: Pick<UsageCounters, 'ofPeriod' | 'spendingOf'>,
  reserves: UsageReserves,
): UsageCaps {
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
    async findUsedUp(account, organization, { channels, nowMs, name }) {
      const caps = capsOf(account, organization);
      if (caps.allowOverage) return undefined;
      const { accountId } = account;
      for (const [cap, channel] of RESERVED) {
        const limit = caps[cap];
        if (limit === undefined || !channels.includes(channel)) continue;
        const { counts } = await readSpending(accountId, caps.anchorDate, nowMs);
        if (limit - counts[channel] > NEAR) continue;
        const period = billingPeriodOf(caps.anchorDate, nowMs);
        const readCount = async () => {
          const counted = (await counters.ofPeriod(accountId, period)).counts[channel];
          return { counted, settled: counted };
        };
        const reserved = { accountId, cap, limit, readCount, windowsKept: WINDOWS_KEPT };
        if (!(await reserves.take(reserved, { amount: 1, nowMs, name }))) return cap;
      }
      return undefined;
    },
  };
  return usageCaps;
}

export const usageCaps = dependency('usageCaps', () =>
  createUsageCaps(resolve(usageCounters), resolve(usageReserves)),
);
