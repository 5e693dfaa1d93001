import * as v from 'valibot';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { Channel } from '../../../schemas/channel.ts';
import { DigestMode } from '../../../schemas/delivery/delivery-mode.ts';
import { timeOfIndexSk } from '../../keys/indexes.ts';
import { digestPk } from '../../keys/log.ts';

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

export const StoredBucket = v.object({
  ...BucketScope.entries,
  pk: v.string(),
  /** `open` collects, `closed` is being flushed, `flushed` is done. */
  state: v.picklist(['open', 'closed', 'flushed']),
  /** A caller chose its time: it collects no more, and quiet hours do not hold it. */
  isMoved: v.optional(v.boolean(), false),
  /** A pause of the user holds it, not quiet hours. */
  isPaused: v.optional(v.boolean(), false),
  /** Its sort key in the index `due`. */
  dueSk: v.optional(v.string()),
  /** A flusher is at work until then. */
  leaseUntilMs: v.optional(v.number(), 0),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Bucket = v.InferOutput<typeof StoredBucket>;

/** Returns the partition of a bucket that is not stored yet; a stored one names its own. */
export function bucketPk(scope: BucketScope): string {
  const { environmentId, userId, notificationId, subNotificationId, channel, mode, flushAtMs } = scope;
  return digestPk(environmentId, userId, notificationId, subNotificationId, channel, mode, flushAtMs);
}

/** As long as the queues keep messages, and a day more, because a deployment can be paused for days. */
const KEEP_DAYS = 15;

/** Returns when an open bucket is flushed: at its time, or later if quiet hours hold it. */
export function flushDueAtMs({ flushAtMs, dueSk }: Bucket): number {
  return Math.max(flushAtMs, dueSk === undefined ? 0 : timeOfIndexSk(dueSk));
}

/** True once the table may delete the bucket. */
export function isExpired({ expiresAt }: Bucket, nowMs: number): boolean {
  return expiresAt * 1000 <= nowMs;
}

/** Returns until when a bucket and its items are kept, epoch seconds. */
export function keptUntilSeconds({ flushAtMs }: Pick<BucketScope, 'flushAtMs'>): number {
  return secondsAfter(flushAtMs, KEEP_DAYS * DAY_SECONDS);
}
