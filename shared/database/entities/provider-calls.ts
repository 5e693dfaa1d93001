import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { breakerKey, providerCallKey } from '../keys.ts';
import { readStored } from './stored.ts';

const StoredCall = v.object({ provider: v.optional(v.string()), attempt: v.number() });
const StoredBreaker = v.object({ untilMs: v.number(), reason: v.string() });

/** What is known of the calls for one message: `provider` may have it; without one, none has after `attempt`. */
export type ProviderCall = v.InferOutput<typeof StoredCall>;

/** A message of one channel. */
export type ProviderMessage = { trackingId: string; channel: string };

/** A provider of one account's channel. */
export type BrokenProvider = { accountId: string; channel: string; provider: string };

/**
 * Access patterns of failover between providers. Only failures read or write here: a message that the first provider
 * accepts costs nothing more.
 */
export type ProviderCalls = {
  find(message: ProviderMessage): Promise<ProviderCall | undefined>;
  /** Stored before another provider than the first is called, and after all have certainly not accepted. */
  keep(message: ProviderMessage, call: ProviderCall, nowMs: number): Promise<void>;
  /** Until when the provider is given nothing, in milliseconds; undefined when it is. */
  findOpenUntil(broken: BrokenProvider): Promise<number | undefined>;
  open(broken: BrokenProvider, untilMs: number, reason: string): Promise<void>;
  /** Takes the one probe of a breaker whose time is over, and opens it again until `untilMs`. False: others have it. */
  takeProbe(broken: BrokenProvider, nowMs: number, untilMs: number): Promise<boolean>;
  close(broken: BrokenProvider): Promise<void>;
};

/** `untilMs` of a breaker that was open. */
const CLOSED = 0;

/** A message is retried for days at most. */
const KEPT_MS = 15 * 86_400_000;

/** Builds the access patterns on the table. */
export function createProviderCalls(table: Database): ProviderCalls {
  return {
    async find({ trackingId, channel }) {
      const item = await table.get(providerCallKey(trackingId, channel), { consistent: true });
      return item && readStored('provider call', StoredCall, item);
    },

    async keep({ trackingId, channel }, call, nowMs) {
      const expiresAt = Math.ceil((nowMs + KEPT_MS) / 1000);
      await table.put({ ...providerCallKey(trackingId, channel), ...call, expiresAt });
    },

    async findOpenUntil({ accountId, channel, provider }) {
      const item = await table.get(breakerKey(accountId, channel, provider), { consistent: true });
      const untilMs = item && readStored('breaker', StoredBreaker, item).untilMs;
      return untilMs === CLOSED ? undefined : untilMs;
    },

    async open({ accountId, channel, provider }, untilMs, reason) {
      const expiresAt = Math.ceil((untilMs + KEPT_MS) / 1000);
      await table.put({ ...breakerKey(accountId, channel, provider), untilMs, reason, expiresAt });
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

/** Provider calls of this deployment. */
export const providerCalls = dependency('providerCalls', () => createProviderCalls(resolve(database)));
