import {
  type Bucket,
  type BucketScope,
  bucketPk,
  type DigestItem,
  type Digests,
} from '../../../shared/database/entities/digests.ts';
import type { Logs } from '../../../shared/database/entities/logs.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';

/** What taking items of a deleted user out of a digest needs. */
export type WithdrawDependencies = { digests: Digests; logs: Logs };

const AT_ONCE = 25;
/** A collector whose clock is behind may still ask for a bucket after its flush. */
const CLOCKS_APART_MS = 60_000;

/**
 * Takes out of a digest what was accepted for the user until they were deleted. The bucket is closed meanwhile, so that
 * an item that comes in is either listed here or goes into another one. A bucket that is being flushed leaves such items
 * out by itself.
 */
export async function withdrawDigest(
  deps: WithdrawDependencies,
  pk: string,
  erasedAtMs: number,
): Promise<void> {
  const closed = await deps.digests.close(pk, erasedAtMs);
  const bucket = closed ?? (await deps.digests.findBucket(pk));
  if (!bucket || (!closed && bucket.state !== 'flushed')) return;
  const items = await deps.digests.listItems(pk);
  const kept = await withdrawItems(deps, bucket, items, erasedAtMs);
  if (closed && kept.length > 0) await deps.digests.reopen(closed);
  else if (closed || isLongFlushed(bucket, erasedAtMs)) await deps.digests.remove(bucket);
}

const isLongFlushed = (bucket: Bucket, nowMs: number) =>
  bucket.state === 'flushed' && bucket.flushAtMs + CLOCKS_APART_MS <= nowMs;

/** Takes the items out that were accepted until `erasedAtMs`; those that stay, in their order. */
export async function withdrawItems(
  deps: WithdrawDependencies,
  scope: BucketScope,
  items: readonly DigestItem[],
  erasedAtMs: number,
): Promise<DigestItem[]> {
  const theirs = items.filter((item) => item.atMs <= erasedAtMs);
  for (let start = 0; start < theirs.length; start += AT_ONCE) {
    const part = theirs.slice(start, start + AT_ONCE);
    await Promise.all(part.map((item) => withdrawItem(deps, scope, item, erasedAtMs)));
  }
  return items.filter((item) => item.atMs > erasedAtMs);
}

/** The log is told first: a repetition could not tell it of an item that is gone. What was carried has its stages. */
async function withdrawItem(
  { digests, logs }: WithdrawDependencies,
  scope: BucketScope,
  { trackingId, logExpiresAt }: DigestItem,
  nowMs: number,
): Promise<void> {
  const { accountId, environmentId, userId, notificationId, channel } = scope;
  const prefix = LOG_PREFIX[channel];
  if (!(await logs.findCarrier(trackingId, prefix))) {
    const owner = { accountId, environmentId, userId, notificationId, expiresAtSeconds: logExpiresAt };
    const fields: Record<string, string> = { [`${prefix}_routing`]: 'IGNORE' };
    await logs.append(trackingId, owner, { prefix, stage: 'withheld', atMs: nowMs, fields });
  }
  await digests.removeItem(bucketPk(scope), trackingId);
}
