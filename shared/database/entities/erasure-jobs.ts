import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { type Database, database } from '../database.ts';
import { DUE_SHARDS, dueKeys } from '../keys/indexes.ts';
import { erasureJobKey } from '../keys/user.ts';
import { readStored } from './stored.ts';

const StoredJob = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  /** Time of the deletion request: notifications accepted until then are erased. */
  atMs: v.number(),
  /** The user's own address and number, by which messages from them are found. */
  addresses: v.array(v.string()),
  /** Position at which the newest-first feed of the environment's logs continues; absent at its beginning. */
  position: v.optional(v.string()),
  /** True if everything except the logs is removed. */
  isOwnRemoved: v.boolean(),
  isFeedRead: v.boolean(),
  /** Tracking IDs whose delivery may have been in progress: they are erased again. */
  again: v.array(v.string()),
  erasedLogs: v.number(),
});
/** The erasure of one user, while it is under way. It is the last item that contains the user's ID. */
export type ErasureJob = v.InferOutput<typeof StoredJob>;

/**
 * Erasures in progress. Each waits in the index `due` for its next step, so an interrupted one is continued.
 */
export type ErasureJobs = {
  find(environmentId: string, userId: string): Promise<ErasureJob | undefined>;
  /** The job that a due item names. */
  findByPk(pk: string): Promise<ErasureJob | undefined>;
  save(job: ErasureJob, dueAtMs: number): Promise<void>;
  remove(job: ErasureJob): Promise<void>;
};

function createErasureJobs(table: Database): ErasureJobs {
  async function findByPk(pk: string): Promise<ErasureJob | undefined> {
    const item = await table.get({ pk, sk: 'JOB' }, { consistent: true });
    return item && readStored('erasure', StoredJob, item);
  }
  return {
    findByPk,
    find: (environmentId, userId) => findByPk(erasureJobKey(environmentId, userId).pk),
    async save(job, dueAtMs) {
      const key = erasureJobKey(job.environmentId, job.userId);
      await table.put({ ...key, ...job, ...dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk) });
    },
    async remove({ environmentId, userId }) {
      await table.delete(erasureJobKey(environmentId, userId));
    },
  };
}

export const erasureJobs = dependency('erasureJobs', () => createErasureJobs(resolve(database)));
