import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys, feedKeys, indexTime } from '../../keys/indexes.ts';
import { erasureJobKey } from '../../keys/user.ts';
import { type Feed, feed } from '../logs/feed.ts';

const StoredJob = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  /** Time of the deletion request: notifications accepted until then are erased. */
  atMs: v.number(),
  /** The key or member that asked; absent in jobs of earlier releases. */
  askedBy: v.optional(v.string(), ''),
  /** The user's own address and number: they identify messages from the user. */
  addresses: v.array(v.string()),
  /** Users who had one of the addresses: of their logs, those of messages to it are erased. */
  formerOf: v.optional(v.array(v.string())),
  /** Where the newest part of the feed is read again; absent at its beginning. */
  position: v.optional(v.string()),
  /** True if everything except the logs is removed. */
  isOwnRemoved: v.boolean(),
  isFeedRead: v.boolean(),
  /** True if that was after everything had settled: no log can come later. */
  isPassed: v.optional(v.boolean()),
  /** Tracking IDs whose delivery may have been in progress: they are erased again. */
  again: v.array(v.string()),
  erasedLogs: v.number(),
  revision: v.optional(v.number(), 0),
});
/** The erasure of one user, while it is under way. It is the last item that contains the user's ID. */
export type ErasureJob = v.InferOutput<typeof StoredJob>;
type NewJob = Omit<ErasureJob, 'revision'> & { revision?: number };

/**
 * Erasures in progress. Each waits in the index `due` for its next step, so an interrupted one is continued.
 */
export type ErasureJobs = ReturnType<typeof createErasureJobs>;

/** A later deletion replaces an earlier deletion; the work of both remains to be done. */
function joined(stored: ErasureJob, job: NewJob): NewJob {
  const later = stored.atMs > job.atMs ? stored : job;
  return {
    ...later,
    addresses: [...new Set([...stored.addresses, ...job.addresses])],
    formerOf: [...new Set([...(stored.formerOf ?? []), ...(job.formerOf ?? [])])],
    again: [...new Set([...stored.again, ...job.again])],
  };
}

/** Kind of the feed of waiting jobs in the index `feed`. */
const WAITING_FEED = 'ERASING';
/** As many as a pass can name in its item; the next one serves the others. */
const WAITING_MAX = 4000;

function createErasureJobs(table: Database, feeds: Feed) {
  async function findByPk(pk: string): Promise<ErasureJob | undefined> {
    const item = await table.get({ pk, sk: 'JOB' }, { consistent: true });
    return item && readStored('erasure', StoredJob, item);
  }
  return {
    /** The job that a due item names. */
    findByPk,
    /** The jobs of these partitions that are still under way. */
    async listByPk(pks: readonly string[]): Promise<ErasureJob[]> {
      const items = await table.batchGet(
        pks.map((pk) => ({ pk, sk: 'JOB' })),
        { consistent: true },
      );
      return items.flatMap((item) => (item ? [readStored('erasure', StoredJob, item)] : []));
    },
    /** Partition keys of those, requested until `untilMs`, that wait for a reading of the environment's logs. */
    async listWaiting(environmentId: string, untilMs: number): Promise<string[]> {
      const waiting = [{ environmentId, kind: WAITING_FEED, shards: 1 }];
      const page = { limit: WAITING_MAX, after: indexTime(untilMs + 1) };
      return (await feeds.listNewestFirst(waiting, page)).map(({ key }) => key.pk);
    },
    find: (environmentId: string, userId: string): Promise<ErasureJob | undefined> =>
      findByPk(erasureJobKey(environmentId, userId).pk),
    /**
     * Stores the job, together with what another step of the same deletion added in the meantime: two may run at once.
     * Returns the stored job.
     */
    save: ({ revision = 0, ...job }: NewJob, dueAtMs: number): Promise<ErasureJob> =>
      untilSettled(async () => {
        const key = erasureJobKey(job.environmentId, job.userId);
        const stored = await findByPk(key.pk);
        const isOther = stored !== undefined && stored.revision !== revision;
        const next = { ...(isOther ? joined(stored, job) : job), revision: (stored?.revision ?? 0) + 1 };
        const { written } = await table.put(
          {
            ...{ ...key, ...next, ...dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk) },
            ...(next.isFeedRead ? {} : feedKeys(next.environmentId, WAITING_FEED, 0, next.atMs, key.pk)),
          },
          stored ? atRevision(stored.revision) : { condition: 'attribute_not_exists(pk)' },
        );
        return written ? next : AGAIN;
      }),
    /** Removes the job, unless another step changed it in the meantime. */
    async remove({ environmentId, userId, revision }: ErasureJob): Promise<void> {
      await table.delete(erasureJobKey(environmentId, userId), atRevision(revision));
    },
  };
}

export const erasureJobs = dependency('erasureJobs', () =>
  createErasureJobs(resolve(database), resolve(feed)),
);
