import { accounts } from '../../../shared/database/entities/accounts.ts';
import type { BucketScope } from '../../../shared/database/entities/digests.ts';
import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { notificationTypes } from '../../../shared/database/entities/notification-types.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { type DigestSettings, nextFlushAt } from '../../../shared/domain/delivery-options.ts';
import { firstTimezone } from '../../../shared/domain/timezone.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { DigestMode } from '../../../shared/schemas/delivery-mode.ts';

/** The bucket of the channel's next flush after a time (API 4). */
export async function nextBucket(
  head: StoredLogHead,
  channel: Channel,
  mode: DigestMode,
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
      mode,
      zone: time.zone,
      nowMs: time.afterMs,
      ...(settings ? { settings } : {}),
    }),
  };
}

/** The mode that collects a channel routed BATCH. */
export function collectedBy(head: StoredLogHead, channel: Channel): DigestMode {
  const mode = head.routing[channel]?.mode;
  if (!mode) throw new Error('a channel routed BATCH has no mode');
  return mode;
}

/** The zone of a notification's digests: the user's timezone, else the account's, else UTC. */
export async function zoneOf(head: StoredLogHead): Promise<string> {
  const [user, account] = await Promise.all([
    resolve(users).find(head, head.userId),
    resolve(accounts).get(head.accountId),
  ]);
  return firstTimezone([user?.timezone, account.timezone]);
}
