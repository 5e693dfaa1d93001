import { copiesFor, shardsFor } from '../../domain/growth.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { mapAtMost } from '../../runtime/map-at-most.ts';
import { type Database, database } from '../database.ts';
import { API_KEY_PREFIX, accountKey, sweepKey } from '../keys/account.ts';
import { accountPk } from '../keys/key.ts';
import { copiesOf, copyKey } from './api-key-copies.ts';

/** Spreads the reads and writes of a busy account over more partitions. */
export type AccountGrowth = {
  /**
   * Raises the shards of the account's feed and of the index `due`, and the copies of its keys in use, to the
   * number that `perSecond` notifications need. Nothing is ever lowered: readers read the maximum number of
   * shards ever used.
   */
  grow(accountId: string, perSecond: number, nowMs: number): Promise<void>;
};

/** A key whose last recorded use is older does not cause the load: uses are recorded every five minutes. */
const IN_USE_MS = 10 * 60_000;
const KEYS_AT_ONCE = 10;

function createAccountGrowth(table: Database): AccountGrowth {
  async function raise(
    key: ReturnType<typeof sweepKey>,
    name: string,
    value: number,
    isThere: string,
  ): Promise<void> {
    await table.update(key, 'SET #name = :value', {
      condition: `${isThere}(attribute_not_exists(#name) OR #name < :value)`,
      names: { '#name': name },
      values: { ':value': value },
    });
  }

  async function copyKeys(accountId: string, copies: number, nowMs: number): Promise<void> {
    const keys = await table.queryAll(accountPk(accountId), API_KEY_PREFIX);
    const growing = keys.filter(
      (key) =>
        key.revoked === false && Number(key.lastUsedAtMs ?? 0) > nowMs - IN_USE_MS && copiesOf(key) < copies,
    );
    await mapAtMost(KEYS_AT_ONCE, growing, (key) => copyKey(table, key, copies));
  }

  return {
    async grow(accountId, perSecond, nowMs) {
      const shards = shardsFor(perSecond);
      const copies = copiesFor(perSecond);
      if (shards > 1) {
        // First the sweeper: it must read a shard before anything is written to it.
        await raise(sweepKey(), 'dueShards', shards, '');
        await raise(accountKey(accountId), 'feedShards', shards, 'attribute_exists(pk) AND ');
      }
      if (copies > 0) await copyKeys(accountId, copies, nowMs);
    },
  };
}

export const accountGrowth = dependency('accountGrowth', () => createAccountGrowth(resolve(database)));
