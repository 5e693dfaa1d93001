import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import type { Bucket, BucketScope } from '../../../shared/database/entities/sending/digest-bucket.ts';
import type { DigestItem, Digests } from '../../../shared/database/entities/sending/digests.ts';
import { cancelledFields, channelFields } from '../../../shared/domain/routing/channel-fields.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';

export type WithdrawDependencies = { digests: Digests; logs: Logs };

const PARALLEL = 25;
/** A collector with a slow clock may still use a bucket after its flush. */
const CLOCKS_APART_MS = 60_000;

/**
 * Withdraws from a digest the items accepted for a user before they were deleted. The bucket is closed in the
 * meantime, so an item that arrives is either listed here or goes into another bucket. A concurrent flusher
 * omits such items itself. Returns false if there is no bucket.
 */
export async function withdrawDigest(
  deps: WithdrawDependencies,
  pk: string,
  { erasedAtMs, nowMs }: { erasedAtMs: number; nowMs: number },
): Promise<boolean> {
  const closed = await deps.digests.close(pk, nowMs);
  if (closed) await withdrawClosed(deps, closed, erasedAtMs);
  const bucket = closed ?? (await deps.digests.findBucket(pk));
  if (closed || bucket?.state !== 'flushed') return bucket !== undefined;
  await withdrawItems(deps, bucket, await deps.digests.listItems(pk), { untilMs: erasedAtMs });
  if (isLongFlushed(bucket, nowMs)) await deps.digests.remove(bucket);
  return true;
}

/** The same for a bucket that the caller has closed: it collects again, or is removed. */
export async function withdrawClosed(
  deps: WithdrawDependencies,
  bucket: Bucket,
  untilMs: number,
): Promise<void> {
  const remaining = await withdrawItems(deps, bucket, await deps.digests.listItems(bucket.pk), { untilMs });
  if (remaining.length > 0) await deps.digests.reopen(bucket);
  else await deps.digests.remove(bucket);
}

const isLongFlushed = ({ flushAtMs }: Bucket, nowMs: number) => flushAtMs + CLOCKS_APART_MS <= nowMs;

/** Withdraws the items accepted until `untilMs`, and logs the reason. Returns the others, in order. */
export async function withdrawItems(
  deps: WithdrawDependencies,
  bucket: BucketScope & { pk: string },
  items: readonly DigestItem[],
  { untilMs, because = 'the user was deleted' }: { untilMs: number; because?: string },
): Promise<DigestItem[]> {
  const withdrawn = items.filter((item) => item.atMs <= untilMs);
  await inChunks(withdrawn, PARALLEL, (item) =>
    withdrawItem(deps, bucket, item, { nowMs: untilMs, because }),
  );
  return items.filter((item) => item.atMs > untilMs);
}

/**
 * Appends the event before removing the item: a retry could not find it. An item that was sent has its
 * stages.
 */
async function withdrawItem(
  { digests, logs }: WithdrawDependencies,
  bucket: BucketScope & { pk: string },
  { trackingId, logExpiresAt }: DigestItem,
  { nowMs, because }: { nowMs: number; because: string },
): Promise<void> {
  const { accountId, environmentId, userId, notificationId, channel } = bucket;
  const carrier = (await logs.listEvents(trackingId, channel)).find((event) => event.carrier)?.carrier;
  if (!carrier || !(await logs.findHead(carrier.trackingId, nowMs))) {
    const owner = { accountId, environmentId, userId, notificationId, expiresAtSeconds: logExpiresAt };
    const failed_internal = `${channel} is not sent: ${because}.`;
    const fields = { ...cancelledFields(channel, nowMs), ...channelFields(channel, { failed_internal }) };
    await logs.append(trackingId, owner, { channel, stage: 'withheld', atMs: nowMs, fields });
  }
  await digests.removeItem(bucket.pk, trackingId);
}
