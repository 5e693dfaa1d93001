import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_MS, secondsAfter } from '../../../runtime/values/durations.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { breakerKey, breakerPk } from '../../keys/account.ts';
import { providerCallKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';

const FailedAttempt = v.object({
  provider: v.string(),
  reason: v.string(),
  internal: v.string(),
  at: v.string(),
});
const StoredCall = v.object({
  provider: v.optional(v.string()),
  attempt: v.number(),
  attempts: v.optional(v.array(FailedAttempt)),
});
const StoredBreaker = v.object({
  channel: v.string(),
  provider: v.string(),
  untilMs: v.optional(v.number(), 0),
  reason: v.string(),
  failedAtMs: v.number(),
});

/** A provider that certainly did not accept a message, and the reason. */
export type FailedAttempt = v.InferOutput<typeof FailedAttempt>;

/** The state of an attempt that ran out of time before every provider was called: none has the message. */
export const Unfinished = v.object({
  /** The first provider that was not called. */
  provider: v.string(),
  attempts: v.array(FailedAttempt),
  /** One of the called providers can still accept the message later. */
  mayWorkLater: v.boolean(),
});
export type Unfinished = v.InferOutput<typeof Unfinished>;

/** The breaker of one provider as it was last written: open or being probed until `untilMs`, closed when that is 0. */
export type StoredBreaker = v.InferOutput<typeof StoredBreaker>;

/**
 * The state of the calls for one message: `provider` may have it; without one, none has it after `attempt`.
 */
export type ProviderCall = v.InferOutput<typeof StoredCall>;

type ProviderMessage = { trackingId: string; channel: string };

export type BrokenProvider = { accountId: string; channel: string; provider: string };

/**
 * Access patterns of failover between providers. They are used only after failures: a message that the first
 * provider accepts costs nothing extra.
 */
export type ProviderCalls = {
  find(message: ProviderMessage): Promise<ProviderCall | undefined>;
  /** Stored before another provider than the first is called, and after all have certainly not accepted. */
  keep(message: ProviderMessage, call: ProviderCall, nowMs: number): Promise<void>;
  /** Until when the provider gets no messages, in milliseconds; undefined if it does. */
  findOpenUntil(broken: BrokenProvider): Promise<number | undefined>;
  /** Records a certain failure; returns the same as `findOpenUntil`. */
  recordFailure(broken: BrokenProvider, reason: string, nowMs: number): Promise<number | undefined>;
  open(broken: BrokenProvider, untilMs: number): Promise<void>;
  /** Breakers of an account that were open, or whose provider failed, in the last days. */
  listBreakers(accountId: string): Promise<StoredBreaker[]>;
  /**
   * Acquires the only probe of a breaker whose rest is over, and opens the breaker again until `untilMs`. False if another caller
   * has the probe.
   */
  takeProbe(broken: BrokenProvider, nowMs: number, untilMs: number): Promise<boolean>;
  close(broken: BrokenProvider): Promise<void>;
};

/** `untilMs` of a breaker that was open. */
const CLOSED = 0;

/** A message is retried for days at most. */
const KEPT_MS = 15 * DAY_MS;

export function createProviderCalls(table: Database): ProviderCalls {
  return {
    async find({ trackingId, channel }) {
      const item = await table.get(providerCallKey(trackingId, channel), { consistent: true });
      return item && readStored('provider call', StoredCall, item);
    },

    async keep({ trackingId, channel }, call, nowMs) {
      const expiresAt = secondsAfter(nowMs + KEPT_MS);
      await table.put({ ...providerCallKey(trackingId, channel), ...call, expiresAt });
    },

    async findOpenUntil({ accountId, channel, provider }) {
      const item = await table.get(breakerKey(accountId, channel, provider), { consistent: true });
      return item && openUntil(item);
    },

    async recordFailure({ accountId, channel, provider }, reason, nowMs) {
      const outcome = await table.update(
        breakerKey(accountId, channel, provider),
        'SET channel = :channel, provider = :provider, reason = :reason, failedAtMs = :now, expiresAt = :expiry',
        {
          values: {
            ':channel': channel,
            ':provider': provider,
            ':reason': reason,
            ':now': nowMs,
            ':expiry': secondsAfter(nowMs + KEPT_MS),
          },
        },
      );
      return outcome.written && outcome.item ? openUntil(outcome.item) : undefined;
    },

    async open({ accountId, channel, provider }, untilMs) {
      await table.update(breakerKey(accountId, channel, provider), 'SET untilMs = :until', {
        condition: 'attribute_exists(pk)',
        values: { ':until': untilMs },
      });
    },

    async listBreakers(accountId) {
      const items = await table.queryAll(breakerPk(accountId), '');
      return items.map((item) => readStored('breaker', StoredBreaker, item));
    },

    async takeProbe({ accountId, channel, provider }, nowMs, untilMs) {
      const outcome = await table.update(breakerKey(accountId, channel, provider), 'SET untilMs = :until', {
        condition: 'untilMs > :closed AND untilMs <= :now',
        values: { ':until': untilMs, ':now': nowMs, ':closed': CLOSED },
      });
      return outcome.written;
    },

    async close({ accountId, channel, provider }) {
      await table.update(breakerKey(accountId, channel, provider), 'SET untilMs = :closed', {
        condition: 'attribute_exists(pk)',
        values: { ':closed': CLOSED },
      });
    },
  };
}

function openUntil(item: Item): number | undefined {
  const { untilMs } = readStored('breaker', StoredBreaker, item);
  return untilMs === CLOSED ? undefined : untilMs;
}

export const providerCalls = dependency('providerCalls', () => createProviderCalls(resolve(database)));
