import {
  callingCodeOf,
  costName,
  PHONE_CHANNELS,
  type PhoneChannel,
  type PhoneEstimate,
  settledName,
  unitsName,
} from '../../domain/phone-costs.ts';
import type { Cap } from '../../domain/usage-caps.ts';
import { billingPeriodOf, monthOf } from '../../domain/usage-months.ts';
import { createLoadingCache } from '../../runtime/cache.ts';
import { numberSetting } from '../../runtime/config.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { organizationKey } from '../keys/account.ts';
import type { Account } from './accounts.ts';
import { type Caps, capsOf } from './organizations.ts';
import { createSpendingReader } from './spending.ts';
import { microsOf, sum } from './usage-additions.ts';
import { type Spending, type UsageCounters, usageCounters } from './usage-counters.ts';
import { limitOf, type UsageReserves, usageReserves } from './usage-reserves.ts';

/** A text message or call that is about to be sent: `to` in E.164, `units` as in `PhoneEstimate`. */
export type PhoneMessage = {
  channel: PhoneChannel;
  to: string;
  units: number;
  /** Of one that may be evaluated more than once: it takes its parts again only when those are kept no more. */
  name: string;
  nowMs: number;
};

/** Places and money that text messages and calls take just before their provider is called. */
export type PhoneReserves = {
  /**
   * Subtracts a message from the reserve of its channel's cap, and its estimated cost from that of the costCap; the cap that
   * has too little left for it.
   */
  reserve(account: Account, message: PhoneMessage): Promise<Reserved>;
};

/** `isReached` is false if the cap may have room again once recent messages are counted and their prices are reported. */
export type Reserved =
  | { kind: 'reserved'; estimate: PhoneEstimate }
  | { kind: 'used_up'; cap: Cap; isReached: boolean };

/** No account sends more messages while its counts are this old. */
const NEAR = 200_000;
const CAPS_AGE_MS = 10_000;
const PRICES_AGE_MS = 3_600_000;
const CACHED_MAX = 1000;
/** Ten minutes: longer than a slow provider takes, and longer than outcomes wait to be counted under load. */
const WINDOWS_KEPT = 60;
const CAP_OF = { SMS: 'smsCap', CALL: 'callCap' } as const satisfies Record<PhoneChannel, Cap>;
const MICROS_OF_CENT = 10_000;

/** A cap in its unit, what the message takes of it, and what is counted or reported of it. */
type ReservedPart = {
  cap: Cap;
  limit: number | undefined;
  amount: number;
  countOf: (spending: Spending) => number;
  reportedOf: (spending: Spending) => number;
  settledOf: (spending: Spending) => number;
};

type Parts = { table: Database; counters: UsageCounters; reserves: UsageReserves };

/** Reserves with the caches of one process. */
export function createPhoneReserves({ table, counters, reserves }: Parts): PhoneReserves {
  const readSpending = createSpendingReader(counters);
  const capsCache = createLoadingCache<Caps>({ max: CACHED_MAX, ttlMs: CAPS_AGE_MS });
  const monthCache = createLoadingCache<Spending['amounts']>({ max: CACHED_MAX, ttlMs: PRICES_AGE_MS });

  const loadCaps = (account: Account) =>
    capsCache.get(account.accountId, async () =>
      capsOf(account, await table.get(organizationKey(account.accountId))),
    );

  /** The mean price that the account was lately charged to the calling code, or else the assumed one. */
  async function findUnitMicros(
    accountId: string,
    { amounts }: Spending,
    { channel, nowMs }: PhoneMessage,
    code: string,
  ): Promise<number> {
    const known = meanOf(amounts, channel, code);
    if (known !== undefined) return known;
    const month = monthBefore(nowMs);
    const before = await monthCache.get(`${accountId} ${month}`, () =>
      counters.amountsOfMonth(accountId, month),
    );
    return meanOf(before, channel, code) ?? numberSetting('PHONE_PRICE_ESTIMATE_CENTS') * MICROS_OF_CENT;
  }

  return {
    async reserve(account, message) {
      const { channel, to, units, name, nowMs } = message;
      const { accountId } = account;
      const caps = await loadCaps(account);
      const spending = await readSpending(accountId, caps.anchorDate, nowMs);
      const code = callingCodeOf(to);
      const unitMicros = await findUnitMicros(accountId, spending, message, code);
      const estimatedMicros = Math.ceil(units * unitMicros);
      const period = billingPeriodOf(caps.anchorDate, nowMs);
      const read = () => counters.spendingOf(accountId, period, nowMs);
      const parts: ReservedPart[] = [
        {
          cap: CAP_OF[channel],
          limit: caps[CAP_OF[channel]],
          amount: 1,
          countOf: ({ counts }) => counts[channel],
          reportedOf: ({ counts }) => counts[channel],
          settledOf: ({ counts }) => counts[channel],
        },
        {
          cap: 'costCap',
          limit: microsOf(caps.costCap),
          amount: estimatedMicros,
          countOf: ({ costUsd, heldUsd }) => microsOf(costUsd + heldUsd),
          reportedOf: ({ costUsd }) => microsOf(costUsd),
          settledOf: ({ amounts }) => sum(PHONE_CHANNELS.map((each) => amounts[settledName(each)] ?? 0)),
        },
      ];
      for (const { cap, limit, amount, countOf, reportedOf, settledOf } of caps.allowOverage ? [] : parts) {
        if (limit === undefined || limit - countOf(spending) > NEAR * amount) continue;
        const readCount = async () => {
          const now = await read();
          return { counted: countOf(now), settled: settledOf(now) };
        };
        const reserved = { accountId, cap: `${cap}-sent`, limit, readCount, windowsKept: WINDOWS_KEPT };
        if (await reserves.take(reserved, { amount, nowMs, name, mayTakeAhead: true })) continue;
        const isReached = reportedOf(await read()) + amount > limitOf(limit);
        return { kind: 'used_up', cap, isReached };
      }
      return { kind: 'reserved', estimate: { code, units, estimatedMicros } };
    },
  };
}

function meanOf(amounts: Spending['amounts'], channel: PhoneChannel, code: string): number | undefined {
  const units = amounts[unitsName(channel, code)] ?? 0;
  return units > 0 ? (amounts[costName(channel, code)] ?? 0) / units : undefined;
}

/** The calendar month (YYYY-MM, UTC) before that of an instant. */
function monthBefore(nowMs: number): string {
  const now = new Date(nowMs);
  return monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

export const phoneReserves = dependency('phoneReserves', () =>
  createPhoneReserves({
    table: resolve(database),
    counters: resolve(usageCounters),
    reserves: resolve(usageReserves),
  }),
);
