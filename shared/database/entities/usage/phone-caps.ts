import {
  callingCodeOf,
  costName,
  type PhoneChannel,
  type PhoneEstimate,
  unitsName,
} from '../../../domain/costs/phone-costs.ts';
import type { Cap } from '../../../domain/costs/usage-caps.ts';
import { billingPeriodOf, monthOf } from '../../../domain/costs/usage-months.ts';
import { createLoadingCache } from '../../../runtime/async/cache.ts';
import { numberSetting } from '../../../runtime/config.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { secondsAfter } from '../../../runtime/values/durations.ts';
import { newId } from '../../../runtime/values/ids.ts';
import { type ConditionalOutcome, type Database, database } from '../../database.ts';
import { organizationKey } from '../../keys/account.ts';
import type { Key } from '../../keys/key.ts';
import { phoneCountKey } from '../../keys/usage.ts';
import type { Item } from '../../table.ts';
import type { Account } from '../accounts/accounts.ts';
import { type Caps, capsOf } from '../accounts/organizations.ts';
import { microsOf } from './usage-additions.ts';
import { createSpendingReader } from './usage-caps.ts';
import { type Spending, type UsageCounters, usageCounters } from './usage-counters.ts';

/** A text message or call that is about to be sent: `to` in E.164, `units` as in `PhoneEstimate`. */
export type PhoneMessage = { channel: PhoneChannel; to: string; units: number; nowMs: number };

/** `isReached` is false if the costCap may have room again, once prices below the estimates are reported. */
export type Taken =
  | { kind: 'taken'; estimate: PhoneEstimate; giveBack: () => Promise<void> }
  | { kind: 'used_up'; cap: Cap; isReached: boolean };

const CAPS_AGE_MS = 10_000;
const PRICES_AGE_MS = 3_600_000;
const CACHED_MAX = 1000;
const CAP_OF = { SMS: 'smsCap', CALL: 'callCap' } as const satisfies Record<PhoneChannel, Cap>;
const MICROS_OF_CENT = 10_000;
/** Longer than a billing period and all messages that were taken in it. */
const KEPT_SECONDS = 62 * 86_400;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What a message adds to the count at `key`: itself, and its estimated cost in millionths of a USD. */
type Addition = { key: Key; channel: PhoneChannel; micros: number };

/**
 * Counts text messages and calls just before their provider is called: one conditional write each, on one item per account and
 * billing period. Caps are never exceeded, at any rate and by any number of processes. The item takes a thousand messages a
 * second. Several items would each have a share of the cap: their small rests would fit no message, and a lowered cap would be
 * exceeded.
 */
export function createPhoneCaps(table: Database, counters: UsageCounters) {
  const readSpending = createSpendingReader(counters);
  const capsCache = createLoadingCache<Caps>({ max: CACHED_MAX, ttlMs: CAPS_AGE_MS });
  const monthCache = createLoadingCache<Spending['amounts']>({ max: CACHED_MAX, ttlMs: PRICES_AGE_MS });

  const loadCaps = (account: Account) =>
    capsCache.get(account.accountId, async () =>
      capsOf(account, await table.get(organizationKey(account.accountId))),
    );

  /** The account's recent mean price for the calling code. Falls back to the assumed price. */
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
    /** Counts a message with its estimated cost; `giveBack` takes that back from a message that was not sent. */
    async take(account: Account, message: PhoneMessage): Promise<Taken> {
      const { channel, to, units, nowMs } = message;
      const { accountId } = account;
      const caps = await loadCaps(account);
      const period = billingPeriodOf(caps.anchorDate, nowMs);
      const spending = await readSpending(accountId, caps.anchorDate, nowMs);
      const code = callingCodeOf(to);
      const unitMicros = await findUnitMicros(accountId, spending, message, code);
      const micros = Math.ceil(units * unitMicros);
      const addition = { key: phoneCountKey(accountId, period.startDate), channel, micros };
      const add = (spent: Spending) => addWithin(table, addition, limitsOf(caps, channel, spent));
      const taken: Taken = {
        kind: 'taken',
        estimate: { code, units, estimatedMicros: micros },
        giveBack: () => subtract(table, addition),
      };
      const first = await add(spending);
      if (first.written) return taken;
      // The counts that were read may be old, and the prices that were reported since have made room.
      const now = await counters.spendingOf(accountId, period, nowMs);
      if (!first.current) await open(table, addition.key, now, nowMs);
      const second = await add(now);
      return second.written ? taken : usedUp(caps, addition, now, second.current);
    },
  };
}

/** How far the counts may rise. A reported price replaces the estimate that was counted of its message. */
function limitsOf(caps: Caps, channel: PhoneChannel, { costUsd, heldUsd, settledUsd }: Spending) {
  if (caps.allowOverage) return { messages: NO_LIMIT, micros: NO_LIMIT };
  return {
    messages: caps[CAP_OF[channel]] ?? NO_LIMIT,
    micros: microsOf(caps.costCap) - microsOf(costUsd + heldUsd - settledUsd),
  };
}

/** Adds a message to its count, if that exists and its limits have room. */
function addWithin(
  table: Database,
  { key, channel, micros }: Addition,
  limits: { messages: number; micros: number },
): Promise<ConditionalOutcome> {
  // The ID shows a write that is repeated, because its response was lost, that it was made.
  return table.update(key, 'SET lastId = :id, #sent = #sent + :one, micros = micros + :micros', {
    condition: 'attribute_exists(pk) AND lastId <> :id AND #sent <= :messages AND micros <= :room',
    names: { '#sent': channel },
    values: {
      ':id': newId(),
      ':one': 1,
      ':micros': micros,
      ':messages': limits.messages - 1,
      ':room': limits.micros - micros,
    },
  });
}

async function subtract(table: Database, { key, channel, micros }: Addition): Promise<void> {
  await table.update(key, 'SET lastId = :id, #sent = #sent - :one, micros = micros - :micros', {
    condition: 'attribute_exists(pk) AND lastId <> :id',
    names: { '#sent': channel },
    values: { ':id': newId(), ':one': 1, ':micros': micros },
  });
}

/** Creates the count of a period, with what was sent in it before: a changed plan begins another period. */
async function open(table: Database, key: Key, { counts, settledUsd }: Spending, nowMs: number) {
  const { SMS, CALL } = counts;
  const expiresAt = secondsAfter(nowMs, KEPT_SECONDS);
  await table.put(
    { ...key, lastId: '', SMS, CALL, micros: microsOf(settledUsd), expiresAt },
    { condition: 'attribute_not_exists(pk)' },
  );
}

/** The cap without room for a message, by the count that its addition met. */
function usedUp(
  caps: Caps,
  { channel, micros }: Addition,
  { costUsd }: Spending,
  met: Item | undefined,
): Taken {
  const limit = caps[CAP_OF[channel]];
  if (limit !== undefined && Number(met?.[channel]) >= limit)
    return { kind: 'used_up', cap: CAP_OF[channel], isReached: true };
  const isReached = microsOf(costUsd) + micros > microsOf(caps.costCap);
  return { kind: 'used_up', cap: 'costCap', isReached };
}

function meanOf(amounts: Spending['amounts'], channel: PhoneChannel, code: string): number | undefined {
  const units = amounts[unitsName(channel, code)] ?? 0;
  return units > 0 ? (amounts[costName(channel, code)] ?? 0) / units : undefined;
}

/** The calendar month (YYYY-MM, UTC) before an instant's month. */
function monthBefore(nowMs: number): string {
  const now = new Date(nowMs);
  return monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

export const phoneCaps = dependency('phoneCaps', () =>
  createPhoneCaps(resolve(database), resolve(usageCounters)),
);
