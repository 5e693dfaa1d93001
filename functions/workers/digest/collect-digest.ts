import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { requestedAtMs, type StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import { type Logs, logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { type BucketScope, bucketPk } from '../../../shared/database/entities/sending/digest-bucket.ts';
import { type DigestItem, digests } from '../../../shared/database/entities/sending/digests.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { channelFields } from '../../../shared/domain/routing/channel-fields.ts';
import { firstTimezone } from '../../../shared/domain/timing/timezone.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { COLLECT_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { findUnmetCondition } from '../../../shared/rendering/liquid/condition.ts';
import { clock, type Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { Channel } from '../../../shared/schemas/channel.ts';
import { withheldEvent } from '../delivery/outcome/withheld-event.ts';
import { Started, startedLog } from '../delivery/waiting/started.ts';
import { isUnclaimed } from '../delivery/waiting/waiting.ts';
import { claimEvent } from './digest-claim.ts';
import { findNextBucket } from './next-bucket.ts';
import { withdrawItems } from './withdraw.ts';

const Body = v.object({ trackingId: v.string(), channel: Channel, started: v.optional(Started) });
type Body = v.InferOutput<typeof Body>;

const DEPENDENCIES = { accounts, clock, digests, erasureMarks, logs, notificationTypes, users };
type Deps = Resolved<typeof DEPENDENCIES>;

/** Puts notifications that wait for a digest into the bucket of their next flush. Safe to run twice. */
export const handler = queueWorker(
  { name: COLLECT_QUEUE, body: Body, failed: 'a notification was not collected' },
  DEPENDENCIES,
  async ({ body, ...deps }) => {
    await collect(deps, body);
    return 'done';
  },
);

async function collect(deps: Deps, { trackingId, channel, started }: Body): Promise<void> {
  const nowMs = deps.clock.now();
  const found = await deps.logs.find(trackingId, nowMs, { isHidden: true });
  const log = found && startedLog(found, channel, started);
  if (!log || !isUnclaimed(log, channel)) return;
  const { head } = log;
  const [recipient, account] = await Promise.all([
    findRecipient(deps, head),
    deps.accounts.get(head.accountId),
  ]);
  const unmet = channel === 'EMAIL' ? findUnmetCondition(head.request, recipient, account, nowMs) : undefined;
  if (unmet) return omit(deps.logs, head, { channel, because: unmet.because, nowMs });
  const zone = firstTimezone([recipient.timezone, account.timezone]);
  await place(deps, head, channel, { zone, nowMs });
  if (!started) return;
  const fields = channelFields(channel, { routing: 'BATCH' });
  await deps.logs.append(trackingId, ownerOf(head), { channel, stage: 'collected', atMs: nowMs, fields });
}

/** The user as stored, with the contact data of the notification. */
async function findRecipient({ users }: Deps, head: StoredLogHead): Promise<Profile> {
  const { userId, email, number, receivedAtMs } = head;
  const stored = await users.find(head, userId);
  return {
    ...(stored ?? { userId, createdAtMs: receivedAtMs, updatedAtMs: receivedAtMs }),
    ...defined({ email: email || undefined, number: number || undefined }),
  };
}

/**
 * Records with the `digest` event that no digest claims the item: if an earlier attempt collected it, its
 * flusher finds this decision.
 */
async function omit(
  logs: Logs,
  head: StoredLogHead,
  { channel, because, nowMs }: { channel: Channel; because: string; nowMs: number },
): Promise<void> {
  const { trackingId } = head;
  const withheld = withheldEvent(channel, { reason: 'CONDITION' }, { atMs: nowMs, because });
  const owner = ownerOf(head);
  await logs.append(trackingId, owner, claimEvent({ channel }, { fields: withheld.fields }, nowMs));
  if (owner.startsOnFailure) await logs.append(trackingId, owner, { ...withheld, fields: {} });
}

/**
 * Puts the item into a bucket that is still open after the write. The flusher of a bucket that was closed in
 * the meantime may or may not have listed the item, so the item is also put into the next bucket. The flusher
 * that first writes its `digest` event sends it, so it is neither lost nor duplicated.
 */
async function place(
  deps: Deps,
  head: StoredLogHead,
  channel: Channel,
  { zone, nowMs }: { zone: string; nowMs: number },
): Promise<void> {
  const item = {
    trackingId: head.trackingId,
    atMs: requestedAtMs(head),
    logExpiresAt: ownerOf(head).expiresAtSeconds,
    parentId: head.parentId,
    request: JSON.stringify(head.request),
    ...defined({
      isStep: head.steps?.some(({ channels }) => channels.includes(channel)) || undefined,
      startsOnFailure: ownerOf(head).startsOnFailure,
    }),
  };
  let scope = await findNextBucket(deps, head, channel, { zone, afterMs: nowMs });
  const scopes = [scope];
  const marks = await deps.erasureMarks.places(head.environmentId, head.userId);
  let collected = await deps.digests.collect(scope, item, marks);
  while (collected.state !== 'open') {
    const afterMs = Math.max(deps.clock.now(), scope.flushAtMs);
    scope = await findNextBucket(deps, head, channel, { zone, afterMs });
    scopes.push(scope);
    collected = await deps.digests.collect(scope, item, marks);
  }
  const { erasedAtMs } = collected;
  if (erasedAtMs !== undefined && erasedAtMs >= item.atMs) await withdraw(deps, scopes, item, erasedAtMs);
}

/**
 * A deletion of the user finds the item in its bucket; if the deletion came first, its mark is found here. The bucket is
 * removed when the deletion ends.
 */
async function withdraw(
  deps: Deps,
  scopes: readonly BucketScope[],
  item: DigestItem,
  erasedAtMs: number,
): Promise<void> {
  for (const scope of scopes)
    await withdrawItems(deps, { ...scope, pk: bucketPk(scope) }, [item], { untilMs: erasedAtMs });
}
