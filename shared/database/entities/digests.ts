import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { Channel } from '../../schemas/channel.ts';
import { DigestMode } from '../../schemas/delivery-mode.ts';
import { type Database, database } from '../database.ts';
import { bucketKey, DUE_SHARDS, digestItemKey, digestPk, dueKeys } from '../keys.ts';
import { readStored } from './stored.ts';
import { createUserTraces } from './user-traces.ts';

/** Whose digest a bucket is: one user, type, sub-notification, channel and flush time. */
export const BucketScope = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  notificationId: v.string(),
  subNotificationId: v.string(),
  channel: Channel,
  mode: DigestMode,
  flushAtMs: v.number(),
});
export type BucketScope = v.InferOutput<typeof BucketScope>;

const StoredBucket = v.object({
  ...BucketScope.entries,
  /** `open` collects, `closed` is being flushed, `flushed` is done. */
  state: v.picklist(['open', 'closed', 'flushed']),
  /** A flusher at work until then. */
  leaseUntilMs: v.optional(v.number(), 0),
});
/** A bucket with its state. */
export type Bucket = v.InferOutput<typeof StoredBucket>;

const StoredItem = v.object({
  trackingId: v.string(),
  atMs: v.number(),
  logExpiresAt: v.number(),
  request: v.instance(Uint8Array),
});
/** One collected notification: its request as JSON text, and when its log expires, epoch seconds. */
export type DigestItem = { trackingId: string; atMs: number; logExpiresAt: number; request: string };

const LEASE_MS = 120_000;
const KEEP_SECONDS = 7 * 86_400;

/** The partition of a bucket. */
export function bucketPk(scope: BucketScope): string {
  const { environmentId, userId, notificationId, subNotificationId, channel, flushAtMs } = scope;
  return digestPk(environmentId, userId, notificationId, subNotificationId, channel, flushAtMs);
}

/** Digest buckets and their items (ADR 5). */
export type Digests = {
  /** Puts an item into its bucket, opening it; the bucket's state as it is after the item was written. */
  collect(scope: BucketScope, item: DigestItem): Promise<Bucket['state']>;
  findBucket(pk: string): Promise<Bucket | undefined>;
  /** Whether the bucket holds the notification and has yet to be flushed. */
  isCollected(pk: string, trackingId: string): Promise<boolean>;
  /**
   * Closes the bucket and takes the flusher's lease; undefined when it is flushed, not there, or another flusher is at
   * work. A closed bucket stays due until it is flushed, so that a dead flusher's work is taken up again.
   */
  close(pk: string, nowMs: number): Promise<Bucket | undefined>;
  /** Every item of the bucket, in the order they came. */
  listItems(pk: string): Promise<DigestItem[]>;
  markFlushed(pk: string): Promise<void>;
  /** Takes one item out. */
  removeItem(pk: string, trackingId: string): Promise<void>;
  /** Lets a bucket that `close` gave collect again until its flush time. */
  reopen(bucket: Bucket): Promise<void>;
  /** Forgets a bucket without items, and that its user has it. */
  remove(bucket: Bucket): Promise<void>;
};

/** Builds the access patterns of digests. */
export function createDigests(table: Database): Digests {
  const traces = createUserTraces(table);

  async function findBucket(pk: string): Promise<Bucket | undefined> {
    const item = await table.get(bucketKey(pk), { consistent: true });
    return item && readStored('digest bucket', StoredBucket, item);
  }

  async function open(pk: string, scope: BucketScope): Promise<Bucket['state']> {
    await traces.enter(scope, pk, keptUntilSeconds(scope));
    const outcome = await table.put(
      {
        ...bucketKey(pk),
        ...dueKeys(scope.flushAtMs, shardOf(pk, DUE_SHARDS), pk),
        ...scope,
        state: 'open',
        expiresAt: keptUntilSeconds(scope),
      },
      { condition: 'attribute_not_exists(pk)' },
    );
    if (outcome.written || !outcome.current) return 'open';
    return readStored('digest bucket', StoredBucket, outcome.current).state;
  }

  return {
    findBucket,

    async isCollected(pk, trackingId) {
      const item = await table.get(digestItemKey(pk, trackingId), { consistent: true });
      if (!item) return false;
      const bucket = await findBucket(pk);
      return bucket !== undefined && bucket.state !== 'flushed';
    },

    async collect(scope, item) {
      const pk = bucketPk(scope);
      await table.put({
        ...digestItemKey(pk, item.trackingId),
        trackingId: item.trackingId,
        atMs: item.atMs,
        logExpiresAt: item.logExpiresAt,
        request: deflateRawSync(item.request),
        expiresAt: keptUntilSeconds(scope),
      });
      const bucket = await findBucket(pk);
      return bucket ? bucket.state : open(pk, scope);
    },

    async close(pk, nowMs) {
      const leaseUntilMs = nowMs + LEASE_MS;
      const due = dueKeys(leaseUntilMs, shardOf(pk, DUE_SHARDS), pk);
      const outcome = await table.update(
        bucketKey(pk),
        'SET #state = :closed, leaseUntilMs = :lease, duePk = :duePk, dueSk = :dueSk',
        {
          condition: '#state = :open OR (#state = :closed AND leaseUntilMs <= :now)',
          names: { '#state': 'state' },
          values: {
            ':open': 'open',
            ':closed': 'closed',
            ':now': nowMs,
            ':lease': leaseUntilMs,
            ':duePk': due.duePk,
            ':dueSk': due.dueSk,
          },
        },
      );
      return outcome.written && outcome.item
        ? readStored('digest bucket', StoredBucket, outcome.item)
        : undefined;
    },

    async listItems(pk) {
      const items = await table.queryAll(pk, 'ITEM#', { consistent: true });
      return items
        .map((item) => readStored('digest item', StoredItem, item))
        .map((item) => ({ ...item, request: inflateRawSync(item.request).toString('utf8') }))
        .sort((left, right) => left.atMs - right.atMs || (left.trackingId < right.trackingId ? -1 : 1));
    },

    async markFlushed(pk) {
      await table.update(bucketKey(pk), 'SET #state = :flushed REMOVE duePk, dueSk', {
        names: { '#state': 'state' },
        values: { ':flushed': 'flushed' },
      });
    },

    async removeItem(pk, trackingId) {
      await table.delete(digestItemKey(pk, trackingId));
    },

    async reopen(bucket) {
      const pk = bucketPk(bucket);
      const { dueSk } = dueKeys(bucket.flushAtMs, shardOf(pk, DUE_SHARDS), pk);
      await table.update(bucketKey(pk), 'SET #state = :open, dueSk = :dueSk REMOVE leaseUntilMs', {
        condition: '#state = :closed AND leaseUntilMs = :lease',
        names: { '#state': 'state' },
        values: { ':open': 'open', ':closed': 'closed', ':lease': bucket.leaseUntilMs, ':dueSk': dueSk },
      });
    },

    async remove(bucket) {
      const pk = bucketPk(bucket);
      // Whoever opens the bucket anew enters it again: in the other order that entry could be the one removed.
      await traces.leave(bucket, pk);
      await table.delete(bucketKey(pk));
    },
  };
}

function keptUntilSeconds({ flushAtMs }: BucketScope): number {
  return Math.ceil(flushAtMs / 1000) + KEEP_SECONDS;
}

/** Digests of this deployment. */
export const digests = dependency('digests', () => createDigests(resolve(database)));
