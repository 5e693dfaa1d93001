import { dependency, resolve } from '../../../runtime/dependency.ts';
import { secondsAfter } from '../../../runtime/values/durations.ts';
import { type Database, database } from '../../database.ts';
import { claimKey } from '../../keys/key.ts';

/** The request that an idempotency key represents, stored before anything else of that request. */
export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

function createIdempotencyKeys(table: Database) {
  return {
    /**
     * Claims the key with the given first tracking ID. False if another request claimed it after `sinceMs`. The same request, by
     * its hash, can claim it again.
     */
    async claim(
      { accountId, trackingId, requestHash }: { accountId: string; trackingId: string; requestHash: string },
      { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
    ): Promise<boolean> {
      const expiresAt = secondsAfter(nowMs + (nowMs - sinceMs), 3600);
      const outcome = await table.put(
        { ...claimKey('idempotency', trackingId), accountId, requestHash, atMs: nowMs, expiresAt },
        {
          condition: 'attribute_not_exists(pk) OR requestHash = :hash OR atMs <= :since',
          values: { ':hash': requestHash, ':since': sinceMs },
        },
      );
      return outcome.written;
    },
  };
}

export const idempotencyKeys = dependency('idempotencyKeys', () => createIdempotencyKeys(resolve(database)));
