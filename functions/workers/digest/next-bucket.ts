import type { Accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import type { NotificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { BucketScope } from '../../../shared/database/entities/sending/digest-bucket.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import { digestSettingsOf, nextFlushAt } from '../../../shared/domain/timing/delivery-options.ts';
import { firstTimezone } from '../../../shared/domain/timing/timezone.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { DigestMode } from '../../../shared/schemas/delivery/delivery-mode.ts';

/** Returns the bucket of the channel's next flush after a time. */
export async function findNextBucket(
  { notificationTypes }: { notificationTypes: NotificationTypes },
  head: StoredLogHead,
  channel: Channel,
  { zone, afterMs }: { zone: string; afterMs: number },
): Promise<BucketScope> {
  const { accountId, environmentId, userId, notificationId, subNotificationId = '' } = head;
  const mode = modeOf(head, channel);
  const type = await notificationTypes.find(environmentId, notificationId);
  const settings = digestSettingsOf(type?.options?.[channel], mode);
  const flushAtMs = nextFlushAt({ mode, zone, nowMs: afterMs, settings });
  return { accountId, environmentId, userId, notificationId, subNotificationId, channel, mode, flushAtMs };
}

function modeOf(head: StoredLogHead, channel: Channel): DigestMode {
  const mode = head.routing[channel]?.mode;
  if (!mode) throw new Error('a channel routed BATCH has no mode');
  return mode;
}

/** Returns the timezone of a notification's digests: the user's, then the account's, then UTC. */
export async function findZone(
  { accounts, users }: { accounts: Accounts; users: Users },
  head: StoredLogHead,
): Promise<string> {
  const [user, account] = await Promise.all([users.find(head, head.userId), accounts.get(head.accountId)]);
  return firstTimezone([user?.timezone, account.timezone]);
}
