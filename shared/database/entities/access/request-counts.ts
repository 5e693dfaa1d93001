import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { requestCountKey } from '../../keys/account.ts';

/** Requests of one caller in one window of time, for all instances of all functions together. */
export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts(table: Database) {
  return {
    /** Counts `count` requests ahead unless `limit` would be exceeded; false if it would. One write. */
    async reserve(
      { name, window, count, limit }: { name: string; window: number; count: number; limit: number },
      expiresAtSeconds: number,
    ): Promise<boolean> {
      const outcome = await table.update(
        requestCountKey(name, window),
        'SET expiresAt = :expiry ADD reserved :count',
        {
          condition: 'attribute_not_exists(reserved) OR reserved <= :room',
          values: { ':expiry': expiresAtSeconds, ':count': count, ':room': limit - count },
        },
      );
      return outcome.written;
    },
  };
}

export const requestCounts = dependency('requestCounts', () => createRequestCounts(resolve(database)));
