import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { accounts } from '../../shared/database/entities/accounts.ts';
import { type BucketScope, digests } from '../../shared/database/entities/digests.ts';
import type { StoredLogHead } from '../../shared/database/entities/log-head.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { users } from '../../shared/database/entities/users.ts';
import { clock, resolve } from '../../shared/deps/dependency.ts';
import { type DigestOption, type DigestSettings, nextFlushAt } from '../../shared/domain/delivery-options.ts';
import { firstTimezone } from '../../shared/domain/timezone.ts';
import { log } from '../../shared/logger.ts';
import { Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';

const Body = v.object({ trackingId: v.string(), channel: Channel });

/** Puts notifications that wait for a digest into the bucket of their next flush. Safe to run twice. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async (record) => {
      try {
        await collect(record);
        return undefined;
      } catch (error) {
        log.error('a notification was not collected', { worker: 'collect-digest' }, error);
        return { itemIdentifier: record.messageId };
      }
    }),
  );
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}

async function collect(record: SQSRecord): Promise<void> {
  const { trackingId, channel } = v.parse(Body, JSON.parse(record.body));
  const nowMs = resolve(clock).now();
  const found = await resolve(logs).find(trackingId, nowMs);
  const routing = found?.head.routing[channel];
  if (found?.head.state !== 'accepted' || routing?.routing !== 'BATCH') return;
  const { head, events } = found;
  if (events.some(({ prefix, stage }) => prefix === LOG_PREFIX[channel] && stage === 'digest')) return;
  const zone = await zoneOf(head);
  const scope = await nextBucket(head, channel, routing.delivery as DigestOption, { zone, afterMs: nowMs });
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
    atMs: head.receivedAtMs,
    logExpiresAt: head.expiresAtSeconds,
    request: JSON.stringify(head.request),
  };
  let scope = first;
  while ((await resolve(digests).collect(scope, item)) !== 'open') {
    const afterMs = Math.max(resolve(clock).now(), scope.flushAtMs);
    scope = await nextBucket(head, scope.channel, scope.mode, { zone, afterMs });
  }
}

/** The bucket of the channel's next flush (API 4). */
async function nextBucket(
  head: StoredLogHead,
  channel: Channel,
  mode: DigestOption,
  time: { zone: string; afterMs: number },
): Promise<BucketScope> {
  const type = await resolve(notificationTypes).find(head.environmentId, head.notificationId);
  const options: Partial<Record<string, DigestSettings>> = {
    ...(type?.options?.[channel] as object | undefined),
  };
  const settings = options[mode];
  return {
    accountId: head.accountId,
    environmentId: head.environmentId,
    userId: head.userId,
    notificationId: head.notificationId,
    subNotificationId: head.subNotificationId ?? '',
    channel,
    mode,
    flushAtMs: nextFlushAt({
      option: mode,
      zone: time.zone,
      nowMs: time.afterMs,
      ...(settings ? { settings } : {}),
    }),
  };
}

/** The user's timezone, else the account's, else UTC. */
async function zoneOf(head: StoredLogHead): Promise<string> {
  const [user, account] = await Promise.all([
    resolve(users).find(head, head.userId),
    resolve(accounts).get(head.accountId),
  ]);
  return firstTimezone([user?.timezone, account.timezone]);
}
