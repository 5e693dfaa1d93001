import * as v from 'valibot';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { deflated, inflated } from '../../../runtime/values/deflated.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import type { Key } from '../../keys/key.ts';
import { bucketKey, DIGEST_ITEM_PREFIX, digestItemKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { erasedAtMsIn } from '../erasure/erasure-marks.ts';
import { REQUEST_BYTES_MAX } from '../logs/log-head-items.ts';
import { createUserTraces, type UserTraces } from '../users/user-traces.ts';
import {
  type Bucket,
  type BucketScope,
  bucketPk,
  isExpired,
  keptUntilSeconds,
  StoredBucket,
} from './digest-bucket.ts';

const StoredItem = v.object({
  trackingId: v.string(),
  atMs: v.number(),
  logExpiresAt: v.number(),
  /** The notification to a topic that it is a member's part of. */
  parentId: v.optional(v.string()),
  /** Undefined if it is too large for an item: then the notification's own head has it. */
  request: v.optional(v.instance(Uint8Array)),
  /** True if the channel belongs to a later step, whose condition is asked again at the flush. */
  isStep: v.optional(v.boolean()),
  /** True if a failure may start the notification's next step early. */
  startsOnFailure: v.optional(v.boolean()),
});
/** One collected notification, with its request as JSON, and when its log expires, epoch seconds. */
export type DigestItem = Omit<v.InferOutput<typeof StoredItem>, 'request'> & { request?: string | undefined };

/** The bucket's state after an item was written, and when its user was last deleted. */
type Collected = { state: Bucket['state']; erasedAtMs: number | undefined };

const LEASE_MS = 120_000;
/** A bucket that is held longer than this, from its flush time, is kept for longer. */
const HELD_DAYS_MAX = 7;
const PARALLEL = 25;

/** Digest buckets and their items (docs/adr/0005-digests-and-due-work.md). */
export type Digests = ReturnType<typeof createDigests>;

type Store = { table: Database; traces: UserTraces };

export function createDigests(table: Database) {
  const traces = createUserTraces(table);
  const store: Store = { table, traces };
  return {
    ...bound(store, { findBucket, isCollected, collect, listItems, markFlushed, hold }),

    /**
     * Closes the bucket and acquires the flusher's lease. Undefined if it is missing, flushed, or another
     * flusher is active. A closed bucket stays due until it is flushed, so that another flusher completes the
     * work of a crashed one.
     */
    close: (pk: string, nowMs: number): Promise<Bucket | undefined> =>
      closeIf(store, { isDue: '', after: 0 }, pk, nowMs),

    /**
     * As `close`, and also undefined if the bucket is open before its flush time, or if it has expired: the logs that show what was
     * sent can be deleted by then.
     */
    closeDue: (pk: string, nowMs: number): Promise<Bucket | undefined> =>
      closeIf(store, { isDue: ' AND flushAtMs <= :now', after: nowMs / 1000 }, pk, nowMs),

    async removeItem(pk: string, trackingId: string): Promise<void> {
      await table.delete(digestItemKey(pk, trackingId));
    },

    /** Lets a bucket from `close` collect again until its flush time. */
    async reopen(bucket: Bucket): Promise<void> {
      await reopen(store, bucket, bucket.flushAtMs, {});
    },

    /** Deletes a bucket without items, and its user's trace of it. */
    async remove(bucket: Bucket): Promise<void> {
      await traces.leaveAfter(bucket, bucket.pk, () => table.delete(bucketKey(bucket.pk)));
    },
  };
}

async function findBucket(store: Store, pk: string): Promise<Bucket | undefined> {
  const item = await store.table.get(bucketKey(pk), { consistent: true });
  return item && bucketOf(item);
}

const bucketOf = (item: Item): Bucket => readStored('digest bucket', StoredBucket, item);

/** `atMs`: when the item was requested that opens it. */
async function openBucket(
  store: Store,
  pk: string,
  scope: BucketScope,
  atMs: number,
): Promise<Bucket['state']> {
  await store.traces.enter(scope, pk, { untilSeconds: keptUntilSeconds(scope), atMs });
  const outcome = await store.table.put(
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
  return bucketOf(outcome.current).state;
}

/** `after`: the bucket expires later, epoch seconds. */
async function closeIf(
  store: Store,
  { isDue, after }: { isDue: string; after: number },
  pk: string,
  nowMs: number,
): Promise<Bucket | undefined> {
  const leaseUntilMs = nowMs + LEASE_MS;
  const due = dueKeys(leaseUntilMs, shardOf(pk, DUE_SHARDS), pk);
  const outcome = await store.table.update(
    bucketKey(pk),
    'SET #state = :closed, leaseUntilMs = :lease, duePk = :duePk, dueSk = :dueSk',
    {
      condition: `((#state = :open${isDue}) OR (#state = :closed AND leaseUntilMs <= :now)) AND expiresAt > :after`,
      names: { '#state': 'state' },
      values: {
        ':open': 'open',
        ':closed': 'closed',
        ':now': nowMs,
        ':after': after,
        ':lease': leaseUntilMs,
        ':duePk': due.duePk,
        ':dueSk': due.dueSk,
      },
    },
  );
  return outcome.written && outcome.item ? bucketOf(outcome.item) : undefined;
}

/** True if the bucket contains the notification and will still be flushed. */
async function isCollected(store: Store, pk: string, trackingId: string, nowMs: number): Promise<boolean> {
  const item = await store.table.get(digestItemKey(pk, trackingId), { consistent: true });
  if (!item) return false;
  const bucket = await findBucket(store, pk);
  return bucket !== undefined && bucket.state !== 'flushed' && !isExpired(bucket, nowMs);
}

/** Puts an item into its bucket, opening it. `marks`: keys of the user's deletion marks. */
async function collect(
  store: Store,
  scope: BucketScope,
  { request, ...item }: DigestItem,
  marks: readonly Key[],
): Promise<Collected> {
  const pk = bucketPk(scope);
  const { trackingId, atMs } = item;
  // A trace precedes what it refers to. A read that lags repeats it.
  if (!(await store.table.get(bucketKey(pk)))) await openBucket(store, pk, scope, atMs);
  const packed = request === undefined ? undefined : deflated(request);
  await store.table.put({
    ...digestItemKey(pk, trackingId),
    ...defined({ ...item, request: packed && packed.length <= REQUEST_BYTES_MAX ? packed : undefined }),
    expiresAt: keptUntilSeconds(scope),
  });
  const [stored, ...erased] = await store.table.batchGet([bucketKey(pk), ...marks], { consistent: true });
  const bucket = stored && bucketOf(stored);
  const found = bucket?.isMoved ? 'closed' : bucket?.state;
  const state = found ?? (await openBucket(store, pk, scope, atMs));
  return { state, erasedAtMs: erasedAtMsIn(erased) };
}

/** Lists every item of the bucket, oldest first. */
async function listItems(store: Store, pk: string): Promise<DigestItem[]> {
  const items = await store.table.queryAll(pk, DIGEST_ITEM_PREFIX, { consistent: true });
  return readEach(items, (item) => readStored('digest item', StoredItem, item))
    .map(({ request, ...item }) => ({
      ...item,
      ...defined({ request: request ? inflated(request) : undefined }),
    }))
    .sort((left, right) => left.atMs - right.atMs || (left.trackingId < right.trackingId ? -1 : 1));
}

async function markFlushed(store: Store, { pk }: Bucket): Promise<void> {
  await store.table.update(bucketKey(pk), 'SET #state = :flushed REMOVE duePk, dueSk', {
    names: { '#state': 'state' },
    values: { ':flushed': 'flushed' },
  });
}

async function reopen(
  store: Store,
  { pk, leaseUntilMs }: Bucket,
  dueAtMs: number,
  more: Partial<Pick<Bucket, 'flushAtMs' | 'isMoved' | 'isPaused'>>,
): Promise<boolean> {
  const { dueSk } = dueKeys(dueAtMs, shardOf(pk, DUE_SHARDS), pk);
  const sets = Object.keys(more).map((name) => `, ${name} = :${name}`);
  const { written } = await store.table.update(
    bucketKey(pk),
    `SET #state = :open, dueSk = :dueSk${sets.join('')} REMOVE leaseUntilMs`,
    {
      condition: '#state = :closed AND leaseUntilMs = :lease',
      names: { '#state': 'state' },
      values: {
        ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`:${name}`, value])),
        ...{ ':open': 'open', ':closed': 'closed', ':lease': leaseUntilMs, ':dueSk': dueSk },
      },
    },
  );
  return written;
}

/**
 * Lets a bucket from `close` wait until `untilMs` for its next flush, and keeps it and its items until then. False if
 * another flusher has it. `isMoved`: a caller chose the time.
 * The bucket comes last: while it is closed, another flusher repeats what a crashed one left.
 */
async function hold(
  store: Store,
  bucket: Bucket,
  items: readonly DigestItem[],
  { untilMs, isPaused = false, isMoved = false }: { untilMs: number; isPaused?: boolean; isMoved?: boolean },
): Promise<boolean> {
  const { pk, flushAtMs } = bucket;
  // The logs of the items were prolonged.
  const logExpiresAt = new Map(
    items.map((item) => [digestItemKey(pk, item.trackingId).sk, item.logExpiresAt]),
  );
  if (untilMs > flushAtMs + HELD_DAYS_MAX * DAY_MS) {
    const until = keptUntilSeconds({ flushAtMs: untilMs });
    await store.traces.enter(bucket, pk, { untilSeconds: until });
    const keys = [bucketKey(pk), ...items.map(({ trackingId }) => digestItemKey(pk, trackingId))];
    await inChunks(keys, PARALLEL, (key) =>
      store.table.update(key, ...assignmentOf({ expiresAt: until, logExpiresAt: logExpiresAt.get(key.sk) })),
    );
  }
  return reopen(store, bucket, untilMs, isMoved ? { isMoved, flushAtMs: untilMs } : { isPaused });
}

export const digests = dependency('digests', () => createDigests(resolve(database)));
