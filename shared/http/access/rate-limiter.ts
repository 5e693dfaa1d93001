import type { RequestCounts } from '../../database/entities/access/request-counts.ts';
import { createCache } from '../../runtime/async/cache.ts';
import { log } from '../../runtime/logger.ts';
import { secondsAfter } from '../../runtime/values/durations.ts';

/** A caller with a limit. A rate of 0 means no limit. */
type Limited = { name: string; perSecond: number };

type Bucket = {
  window: number;
  /** Requests allowed without asking the table. */
  free: number;
  /** Requests reserved in the table and not yet used. */
  reserved: number;
  isFull: boolean;
  asking?: Promise<void> | undefined;
};

/** Bursts up to ten seconds' requests pass; the gateway limits what arrives at one moment. */
export const WINDOW_MS = 10_000;
const FREE_MAX = 20;
const RESERVED_MAX = 100;
const BUCKETS_MAX = 2000;
const KEPT_SECONDS = 60;

/**
 * Limits requests over windows of ten seconds, for all instances together. Builds a limiter with a bucket of tokens
 * per caller in memory. Each window fills it with 1/500 of the limit, at most 20. An instance that needs more reserves
 * 1/100 of the limit at a time, at most 100, with one write. Most instances never write, and all together exceed the
 * limit by their free tokens only.
 */
export function createRateLimiter(counts: RequestCounts) {
  const buckets = createCache<Bucket>({ max: BUCKETS_MAX });

  function bucketOf({ name, perSecond }: Limited, window: number): Bucket {
    const known = buckets.find(name);
    if (known?.window === window) return known;
    const free = Math.min(FREE_MAX, Math.floor(limitOf(perSecond) / 500));
    const bucket = { window, free, reserved: 0, isFull: false };
    buckets.keep(name, bucket);
    return bucket;
  }

  async function reserve(caller: Limited, bucket: Bucket): Promise<void> {
    const limit = limitOf(caller.perSecond);
    const count = Math.max(1, Math.min(RESERVED_MAX, Math.floor(limit / 100)));
    const { name } = caller;
    const { window } = bucket;
    const expiresAtSeconds = secondsAfter((window + 1) * WINDOW_MS, KEPT_SECONDS);
    try {
      if (await counts.reserve({ name, window, count, limit }, expiresAtSeconds)) bucket.reserved += count;
      else bucket.isFull = true;
    } catch (error) {
      // A table that cannot count must not reject requests that it may still serve.
      log.error('requests could not be counted', {}, error);
      bucket.reserved += count;
    }
  }

  return {
    /** Returns the seconds to wait when this instance has already found the caller over its limit. No I/O. */
    findWait(name: string, nowMs: number): number | undefined {
      const bucket = buckets.find(name);
      return bucket?.isFull && bucket.window === windowOf(nowMs) ? waitOf(nowMs) : undefined;
    },

    /** Counts one request, and `more` even beyond the limit; returns the seconds to wait if the limit is reached. */
    async take(caller: Limited, nowMs: number, more: number = 0): Promise<number | undefined> {
      if (caller.perSecond === 0) return undefined;
      const bucket = bucketOf(caller, windowOf(nowMs));
      bucket.reserved -= more;
      while (!bucket.isFull || bucket.reserved > 0) {
        if (bucket.free > 0 && bucket.reserved >= 0) {
          bucket.free -= 1;
          return undefined;
        }
        if (bucket.reserved > 0) {
          bucket.reserved -= 1;
          return undefined;
        }
        bucket.asking ??= reserve(caller, bucket).finally(() => {
          bucket.asking = undefined;
        });
        await bucket.asking;
      }
      return waitOf(nowMs);
    },
  };
}

const windowOf = (nowMs: number) => Math.floor(nowMs / WINDOW_MS);
const limitOf = (perSecond: number) => (perSecond * WINDOW_MS) / 1000;

function waitOf(nowMs: number): number {
  return Math.ceil(((windowOf(nowMs) + 1) * WINDOW_MS - nowMs) / 1000);
}
