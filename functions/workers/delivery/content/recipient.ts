import type { ErasureMarks } from '../../../../shared/database/entities/erasure/erasure-marks.ts';
import { requestedAtMs, type StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Users } from '../../../../shared/database/entities/users/users.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';

/**
 * Returns the user as stored now, with the contact data of the request, unless the message waited and `isLate`: then the
 * stored contact data may be newer. Undefined if the user was deleted
 * after the notification was requested. The deletion mark is read only if the profile does not rule a
 * deletion out.
 */
export async function findRecipient(
  { users, erasureMarks }: { users: Users; erasureMarks: ErasureMarks },
  head: StoredLogHead,
  isLate = false,
): Promise<Profile | undefined> {
  const { accountId, environmentId, userId, receivedAtMs, userChangedAtMs } = head;
  const stored = await users.find({ accountId, environmentId }, userId, userChangedAtMs);
  const isOlder = stored !== undefined && stored.createdAtMs <= requestedAtMs(head);
  if (!isOlder && (await erasureMarks.isErasedSince(environmentId, userId, requestedAtMs(head))))
    return undefined;
  const profile: Profile = stored ?? { userId, createdAtMs: receivedAtMs, updatedAtMs: receivedAtMs };
  const { emailSuppressionStatus, ...rest } = profile;
  const { email, number } = isLate && stored ? stored : head;
  const isOfAddress = email === undefined || email === profile.email;
  return {
    ...rest,
    ...defined({
      emailSuppressionStatus: emailSuppressionStatus && isOfAddress ? emailSuppressionStatus : undefined,
      email: email || undefined,
      number: number || undefined,
    }),
  };
}
