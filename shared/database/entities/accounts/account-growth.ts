import { mapAtMost } from '../../../runtime/async/map-at-most.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { API_KEY_PREFIX, accountKey, sweepKey } from '../../keys/account.ts';
import { accountPk } from '../../keys/key.ts';
import { copiesOf, copyKey } from '../access/api-key-copies.ts';

/** Rows per second for one shard: a partition takes 1,000 writes per second, and some shards share one. */
const ROWS_PER_SHARD = 160;
/** Every reader of a feed reads each of its shards. */
const SHARDS_MAX = 128;
/** Requests per second for one copy of an API key: a partition serves 3,000 reads per second. */
const READS_PER_COPY = 750;
/** They are changed in one transaction with the key itself. */
const COPIES_MAX = 32;
/** A key whose last recorded use is older does not cause the load: uses are recorded every five minutes. */
const IN_USE_MS = 10 * 60_000;
const KEYS_AT_ONCE = 10;

/** Returns how many shards the feed of an account needs that accepts `perSecond` notifications. */
export function shardsFor(perSecond: number): number {
  return Math.min(SHARDS_MAX, powerOfTwo(perSecond / ROWS_PER_SHARD));
}

/** Returns how many copies a key needs in addition to itself; none while one partition is enough. */
export function copiesFor(perSecond: number): number {
  return perSecond <= READS_PER_COPY ? 0 : Math.min(COPIES_MAX, powerOfTwo(perSecond / READS_PER_COPY));
}

function powerOfTwo(least: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(least)));
}

/** Spreads the reads and writes of a busy account over more partitions. */
function createAccountGrowth(table: Database) {
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
    /**
     * Raises the shards of the account's feed and of the index `due`, and the copies of its keys in use, to the number that
     * `perSecond` notifications need. Never lowers a number: readers read the maximum number of shards ever used.
     */
    async grow(accountId: string, perSecond: number, nowMs: number): Promise<void> {
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
