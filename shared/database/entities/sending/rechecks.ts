import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import { RECHECK_SK, recheckKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

const StoredRecheck = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  atMs: v.number(),
  /** True once it ran, and is to run once more. */
  isRepeated: v.optional(v.boolean(), false),
});
type Recheck = v.InferOutput<typeof StoredRecheck>;

/** A notification may have been accepted by the earlier settings at this moment, and the index may lag. */
const REPEATED_AFTER_MS = 60_000;

/** The item that requests a recheck, to be written with the settings. */
export function recheckItem(
  recheck: Omit<Recheck, 'isRepeated'> & { isRepeated?: boolean },
  dueAtMs: number,
): Item {
  const key = recheckKey(recheck.environmentId, recheck.userId);
  return { ...key, ...recheck, ...dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk) };
}

/** Users whose settings changed, and whose waiting messages are evaluated again. */
function createRechecks(table: Database) {
  return {
    /** The recheck that a due item names. */
    async findByPk(pk: string): Promise<Recheck | undefined> {
      const item = await table.get({ pk, sk: RECHECK_SK }, { consistent: true });
      return item && readStored('recheck', StoredRecheck, item);
    },
    /** Ends a recheck that ran, or lets it run once more a minute later. A change of settings in the meantime stays. */
    async complete(recheck: Recheck, nowMs: number): Promise<void> {
      const { environmentId, userId, atMs } = recheck;
      const unchanged = { condition: 'atMs = :at', values: { ':at': atMs } };
      if (recheck.isRepeated) await table.delete(recheckKey(environmentId, userId), unchanged);
      else
        await table.put(recheckItem({ ...recheck, isRepeated: true }, nowMs + REPEATED_AFTER_MS), unchanged);
    },
  };
}

export const rechecks = dependency('rechecks', () => createRechecks(resolve(database)));
