import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { DAY_SECONDS, secondsAfter } from '../../runtime/seconds.ts';
import { Channel } from '../../schemas/channel.ts';
import { DigestMode } from '../../schemas/delivery-mode.ts';
import { type Database, database } from '../database.ts';
import { bucketKey, DIGEST_ITEM_PREFIX, DUE_SHARDS, digestItemKey, digestPk, dueKeys } from '../keys.ts';
import { REQUEST_BYTES_MAX } from './log-head-items.ts';
import { readEach, readStored } from './stored.ts';
import { createUserTraces } from './user-traces.ts';

/** The key of a bucket: one user, type, sub-notification, channel, mode and flush time. */
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
  /** Its partition. */
  pk: v.string(),
  /** `open` collects, `closed` is being flushed, `flushed` is done. */
  state: v.picklist(['open', 'closed', 'flushed']),
  /** A flusher is at work until then. */
  leaseUntilMs: v.optional(v.number(), 0),
});
/** A bucket with its state. */
export type Bucket = v.InferOutput<typeof StoredBucket>;

const StoredItem = v.object({
  trackingId: v.string(),
  atMs: v.number(),
  logExpiresAt: v.number(),
  parentId: v.optional(v.string()),
  request: v.optional(v.instance(Uint8Array)),
});
/** One collected notification, and when its log expires, epoch seconds. */
export type DigestItem = {
  trackingId: string;
  atMs: number;
  logExpiresAt: number;
  /** The notification to a topic that it is a member's part of. */
  parentId?: string | undefined;
  /** As JSON. Undefined when it is too large for an item: then the notification's own head has it. */
  request?: string | undefined;
};

const LEASE_MS = 120_000;
const KEEP_SECONDS = 7 * DAY_SECONDS;

/** Returns the partition of a bucket that is not stored yet; a stored one names its own. */
export function bucketPk(scope: BucketScope): string {
  const { environmentId, userId, notificationId, subNotificationId, channel, mode, flushAtMs } = scope;
  return digestPk(environmentId, userId, notificationId, subNotificationId, channel, mode, flushAtMs);
}

/** Digest buckets and their items (docs/adr/0005-digests-and-due-work.md). */
export type Digests = {
  /** Puts an item into its bucket, opening it. Returns the bucket's state after the item was written. */
  collect(scope: BucketScope, item: DigestItem): Promise<Bucket['state']>;
  findBucket(pk: string): Promise<Bucket | undefined>;
  /** Whether the bucket contains the notification and is not flushed yet. */
  isCollected(pk: string, trackingId: string): Promise<boolean>;
  /**
   * Closes the bucket and acquires the flusher's lease. Undefined if it is missing, flushed, or another
   * flusher is active. A closed bucket stays due until it is flushed, so that another flusher completes the
   * work of a crashed one.
   */
  close(pk: string, nowMs: number): Promise<Bucket | undefined>;
  /** As `close`, and also undefined if the bucket is open and its flush time has not come. */
  closeDue(pk: string, nowMs: number): Promise<Bucket | undefined>;
  /** Lists every item of the bucket, oldest first. */
  listItems(pk: string): Promise<DigestItem[]>;
  markFlushed(bucket: Bucket): Promise<void>;
  removeItem(pk: string, trackingId: string): Promise<void>;
  /** Lets a bucket from `close` collect again until its flush time, or wait until `dueAtMs` for its next flush. */
  reopen(bucket: Bucket, dueAtMs?: number): Promise<void>;
  /** Deletes a bucket without items, and its user's trace of it. */
  remove(bucket: Bucket): Promise<void>;
};

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

  async function closeIf(isDue: string, pk: string, nowMs: number): Promise<Bucket | undefined> {
    const leaseUntilMs = nowMs + LEASE_MS;
    const due = dueKeys(leaseUntilMs, shardOf(pk, DUE_SHARDS), pk);
    const outcome = await table.update(
      bucketKey(pk),
      'SET #state = :closed, leaseUntilMs = :lease, duePk = :duePk, dueSk = :dueSk',
      {
        condition: `(#state = :open${isDue}) OR (#state = :closed AND leaseUntilMs <= :now)`,
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
  }

  return {
    findBucket,
    close: (pk, nowMs) => closeIf('', pk, nowMs),
    closeDue: (pk, nowMs) => closeIf(' AND flushAtMs <= :now', pk, nowMs),

    async isCollected(pk, trackingId) {
      const item = await table.get(digestItemKey(pk, trackingId), { consistent: true });
      if (!item) return false;
      const bucket = await findBucket(pk);
      return bucket !== undefined && bucket.state !== 'flushed';
    },

    async collect(scope, { trackingId, atMs, logExpiresAt, parentId, request }) {
      const pk = bucketPk(scope);
      const packed = request === undefined ? undefined : deflateRawSync(request);
      await table.put({
        ...digestItemKey(pk, trackingId),
        trackingId,
        atMs,
        logExpiresAt,
        ...defined({ parentId, request: packed && packed.length <= REQUEST_BYTES_MAX ? packed : undefined }),
        expiresAt: keptUntilSeconds(scope),
      });
      const bucket = await findBucket(pk);
      return bucket ? bucket.state : open(pk, scope);
    },

    async listItems(pk) {
      const items = await table.queryAll(pk, DIGEST_ITEM_PREFIX, { consistent: true });
      return readEach(items, (item) => readStored('digest item', StoredItem, item))
        .map(({ request, ...item }) => ({
          ...item,
          ...defined({ request: request ? inflateRawSync(request).toString('utf8') : undefined }),
        }))
        .sort((left, right) => left.atMs - right.atMs || (left.trackingId < right.trackingId ? -1 : 1));
    },

    async markFlushed({ pk }) {
      await table.update(bucketKey(pk), 'SET #state = :flushed REMOVE duePk, dueSk', {
        names: { '#state': 'state' },
        values: { ':flushed': 'flushed' },
      });
    },

    async removeItem(pk, trackingId) {
      await table.delete(digestItemKey(pk, trackingId));
    },

    async reopen({ pk, flushAtMs, leaseUntilMs }, dueAtMs = flushAtMs) {
      const { dueSk } = dueKeys(dueAtMs, shardOf(pk, DUE_SHARDS), pk);
      await table.update(bucketKey(pk), 'SET #state = :open, dueSk = :dueSk REMOVE leaseUntilMs', {
        condition: '#state = :closed AND leaseUntilMs = :lease',
        names: { '#state': 'state' },
        values: { ':open': 'open', ':closed': 'closed', ':lease': leaseUntilMs, ':dueSk': dueSk },
      });
    },

    async remove(bucket) {
      await traces.leaveAfter(bucket, bucket.pk, () => table.delete(bucketKey(bucket.pk)));
    },
  };
}

function keptUntilSeconds({ flushAtMs }: BucketScope): number {
  return secondsAfter(flushAtMs, KEEP_SECONDS);
}

export const digests = dependency('digests', () => createDigests(resolve(database)));
