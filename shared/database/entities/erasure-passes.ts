import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { type Database, database } from '../database.ts';
import { DUE_SHARDS, dueKeys } from '../keys/indexes.ts';
import { erasurePassKey } from '../keys/user.ts';
import { atRevision } from './settle.ts';
import { readStored } from './stored.ts';

const StoredPass = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  /** Erasures that were requested before this are served; 0 between two passes. */
  untilMs: v.number(),
  /** Partition keys of the erasures that it serves. */
  members: v.array(v.string()),
  /** Where each shard of the feeds continues, by its partition key; empty at its end. */
  positions: v.record(v.string(), v.string()),
  revision: v.number(),
});
/** One reading of an environment's logs for all erasures that wait. */
export type ErasurePass = v.InferOutput<typeof StoredPass>;

/** Passes under way, at most one per environment. Each waits in the index `due` for its next step. */
export type ErasurePasses = {
  /** The pass that a due item names. */
  findByPk(pk: string): Promise<ErasurePass | undefined>;
  /** Starts one, unless one is under way. */
  start(environment: { accountId: string; environmentId: string }, dueAtMs: number): Promise<void>;
  /** Stores progress; false if another step did meanwhile. */
  save(pass: ErasurePass, dueAtMs: number): Promise<boolean>;
  remove(pass: ErasurePass): Promise<void>;
};

function createErasurePasses(table: Database): ErasurePasses {
  const put = async (pass: ErasurePass, dueAtMs: number, unless: Parameters<Database['put']>[1]) => {
    const key = erasurePassKey(pass.environmentId);
    const due = dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk);
    return (await table.put({ ...key, ...pass, ...due }, unless)).written;
  };
  return {
    async findByPk(pk) {
      const item = await table.get({ pk, sk: 'PASS' }, { consistent: true });
      return item && readStored('erasure pass', StoredPass, item);
    },
    async start(environment, dueAtMs) {
      const pass = { ...environment, untilMs: 0, members: [], positions: {}, revision: 0 };
      await put(pass, dueAtMs, { condition: 'attribute_not_exists(pk)' });
    },
    save: (pass, dueAtMs) =>
      put({ ...pass, revision: pass.revision + 1 }, dueAtMs, atRevision(pass.revision)),
    async remove({ environmentId, revision }) {
      await table.delete(erasurePassKey(environmentId), atRevision(revision));
    },
  };
}

export const erasurePasses = dependency('erasurePasses', () => createErasurePasses(resolve(database)));
