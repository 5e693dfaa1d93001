import * as v from 'valibot';
import { findJson } from '../../../runtime/values/find-json.ts';
import { FreeForm } from '../../../schemas/fields/text.ts';
import { QuietHours } from '../../../schemas/users/quiet-hours.ts';
import { ChatToken, EmailSuppressionStatus, PushToken, WebPushToken } from '../../../schemas/users/user.ts';
import { readReadable } from '../../items/stored.ts';
import type { Item } from '../../table.ts';

const StoredProfile = v.object({
  userId: v.string(),
  email: v.optional(v.string()),
  number: v.optional(v.string()),
  pushTokens: v.optional(
    v.array(v.object({ ...PushToken.entries, environment: v.optional(v.string()), savedAtMs: v.number() })),
  ),
  webPushTokens: v.optional(
    v.array(v.object({ ...WebPushToken.entries, savedAtMs: v.optional(v.number()) })),
  ),
  timezone: v.optional(v.string()),
  locale: v.optional(v.string()),
  chatChannel: v.optional(v.string()),
  sealedChatToken: v.optional(v.string()),
  /** Stored as JSON, which keeps the order of names. */
  attributes: v.optional(v.pipe(v.string(), v.transform(findJson), FreeForm)),
  /**
   * A copy for rules that read the profile; the record of the address decides, where there is one. A copy that is not
   * readable counts as one.
   */
  emailSuppressionStatus: v.optional(v.fallback(EmailSuppressionStatus, { reason: 'Bounce', details: {} })),
  quietHours: v.optional(QuietHours),
  pausedUntilMs: v.optional(v.number()),
  /** Its addresses have references; earlier releases wrote none. */
  hasReferences: v.optional(v.boolean()),
  lastSeenAtMs: v.optional(v.number()),
  createdAtMs: v.number(),
  updatedAtMs: v.number(),
  revision: v.number(),
});
/** A profile item: the chat token is encrypted, `revision` guards concurrent merges. */
export type StoredProfile = v.InferOutput<typeof StoredProfile>;

/** A user's chat token as it is encrypted. */
export const StoredChatToken = v.object({ ...ChatToken.entries, obtainedAtMs: v.optional(v.number()) });

export function readProfile(item: Item): StoredProfile {
  return readReadable('user', StoredProfile, item);
}
