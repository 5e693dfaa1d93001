import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/durations.ts';
import { type Database, database } from '../database.ts';
import { claimKey } from '../keys/key.ts';

/** The request that an idempotency key represents, stored before anything else of that request. */
export type IdempotencyKeys = {
  /**
   * Claims the key whose first tracking ID is given. False if another request claimed it after `sinceMs`; the same one, by
   * its hash, may claim it again.
   */
  claim(
    key: { accountId: string; trackingId: string; requestHash: string },
    times: { nowMs: number; sinceMs: number },
  ): Promise<boolean>;
};

function createIdempotencyKeys(table: Database): IdempotencyKeys {
  return {
    async claim({ accountId, trackingId, requestHash }, { nowMs, sinceMs }) {
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
