import * as v from 'valibot';
import { type BucketScope, type DigestItem, digests } from '../../../shared/database/entities/digests.ts';
import { askedAtMs, type StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { userErasures } from '../../../shared/database/entities/user-erasures.ts';
import { queueWorker } from '../../../shared/http/queue-worker.ts';
import { COLLECT_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { Channel } from '../../../shared/schemas/channel.ts';
import { isUncarried } from '../delivery/waiting.ts';
import { collectedBy, nextBucket, zoneOf } from './next-bucket.ts';
import { withdrawItems } from './withdraw.ts';

const Body = v.object({ trackingId: v.string(), channel: Channel });

/** Puts notifications that wait for a digest into the bucket of their next flush. Safe to run twice. */
export const handler = queueWorker(
  { name: COLLECT_QUEUE, body: Body, failed: 'a notification was not collected' },
  {},
  async ({ body }) => {
    await collect(body);
    return 'done';
  },
);

async function collect({ trackingId, channel }: v.InferOutput<typeof Body>): Promise<void> {
  const nowMs = resolve(clock).now();
  const found = await resolve(logs).find(trackingId, nowMs);
  if (!found || !isUncarried(found, channel)) return;
  const { head } = found;
  const mode = collectedBy(head, channel);
  const zone = await zoneOf(head);
  const scope = await nextBucket(head, channel, mode, { zone, afterMs: nowMs });
  await place(head, scope, zone);
}

/**
 * Puts the item into a bucket that was still open after the item was in it. The flusher of one that was closed meanwhile
 * may have seen the item or not: the item goes into the next bucket too, and the flusher that first writes its `digest`
 * event carries it, so that it is neither lost nor doubled.
 */
async function place(head: StoredLogHead, first: BucketScope, zone: string): Promise<void> {
  const item = {
    trackingId: head.trackingId,
    atMs: askedAtMs(head),
    logExpiresAt: head.expiresAtSeconds,
    request: JSON.stringify(head.request),
  };
  const scopes = [first];
  let scope = first;
  while ((await resolve(digests).collect(scope, item)) !== 'open') {
    const afterMs = Math.max(resolve(clock).now(), scope.flushAtMs);
    scope = await nextBucket(head, scope.channel, scope.mode, { zone, afterMs });
    scopes.push(scope);
  }
  await unlessErased(head, scopes, item);
}

/** A deletion of the user finds the item in its bucket, unless it came first: then its mark is found here. */
async function unlessErased(
  { environmentId, userId }: StoredLogHead,
  scopes: readonly BucketScope[],
  item: DigestItem,
): Promise<void> {
  const erasedAtMs = await resolve(userErasures).findErasedAtMs(environmentId, userId);
  if (erasedAtMs === undefined || erasedAtMs < item.atMs) return;
  const deps = { digests: resolve(digests), logs: resolve(logs) };
  for (const scope of scopes) await withdrawItems(deps, scope, [item], erasedAtMs);
}
