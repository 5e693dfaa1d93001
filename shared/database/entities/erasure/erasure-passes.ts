import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { atRevision } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import { erasurePassKey, retentionPassKey } from '../../keys/user.ts';

const StoredPass = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  /** Erasures that were requested before this are served; 0 between two passes. */
  untilMs: v.number(),
  /** Partition keys of the erasures that it serves. */
  members: v.array(v.string()),
  /** Where each shard of the feeds continues, by its partition key; empty at its end. */
  positions: v.record(v.string(), v.string()),
  /** Of a pass for the retention: when it was asked for, since when it reads, and the oldest log that is to be read again. */
  startedAtMs: v.optional(v.number()),
  sinceMs: v.optional(v.number()),
  openSinceMs: v.optional(v.number()),
  revision: v.number(),
});
/** One reading of an environment's logs for all erasures that wait, or one after the other for the present retention. */
export type ErasurePass = v.InferOutput<typeof StoredPass>;

/** Passes under way, at most one per environment. Each waits in the index `due` for its next step. */
export type ErasurePasses = {
  /** The pass that a due item names. */
  findByPk(pk: string): Promise<ErasurePass | undefined>;
  /** Starts one, unless one is under way. */
  start(environment: { accountId: string; environmentId: string }, dueAtMs: number): Promise<void>;
  /** Starts reading all logs for the present retention, from the beginning. */
  startRetention(environment: { accountId: string; environmentId: string }, dueAtMs: number): Promise<void>;
  /** Stores progress; false if another step did meanwhile. */
  save(pass: ErasurePass, dueAtMs: number): Promise<boolean>;
  remove(pass: ErasurePass): Promise<void>;
};

const keyOfPass = ({ environmentId, sinceMs }: ErasurePass) =>
  sinceMs === undefined ? erasurePassKey(environmentId) : retentionPassKey(environmentId);

function createErasurePasses(table: Database): ErasurePasses {
  const put = async (pass: ErasurePass, dueAtMs: number, unless: Parameters<Database['put']>[1]) => {
    const key = keyOfPass(pass);
    const due = dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk);
    return (await table.put({ ...key, ...pass, ...due }, unless)).written;
  };
  return {
    async findByPk(pk) {
      const item = await table.get({ pk, sk: 'PASS' }, { consistent: true });
      return item && readStored('erasure pass', StoredPass, item);
    },
    async start({ accountId, environmentId }, dueAtMs) {
      const pass = { accountId, environmentId, untilMs: 0, members: [], positions: {}, revision: 0 };
      await put(pass, dueAtMs, { condition: 'attribute_not_exists(pk)' });
    },
    async startRetention({ accountId, environmentId }, dueAtMs) {
      const { revision = 0 } = (await table.get(retentionPassKey(environmentId))) ?? {};
      const pass = {
        accountId,
        environmentId,
        untilMs: 0,
        members: [],
        positions: {},
        sinceMs: 0,
        startedAtMs: dueAtMs,
      };
      await put({ ...pass, revision: Number(revision) + 1 }, dueAtMs, undefined);
    },
    save: (pass, dueAtMs) =>
      put({ ...pass, revision: pass.revision + 1 }, dueAtMs, atRevision(pass.revision)),
    async remove(pass) {
      await table.delete(keyOfPass(pass), atRevision(pass.revision));
    },
  };
}

export const erasurePasses = dependency('erasurePasses', () => createErasurePasses(resolve(database)));
