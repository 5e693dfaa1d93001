import type { QuietHours } from '../schemas/quiet-hours.ts';
import type { ChatToken, EmailSuppressionStatus, PushToken, WebPushToken } from '../schemas/user.ts';
import type { SmsOptOut } from './sms-opt-out.ts';

/** A push token with the time it was stored: APNs' 410 answer is judged by it. */
export type StoredPushToken = PushToken & { savedAtMs: number };

/** A user's profile as rules see it. Times in milliseconds. */
export type Profile = {
  userId: string;
  email?: string;
  number?: string;
  pushTokens?: StoredPushToken[];
  webPushTokens?: WebPushToken[];
  timezone?: string;
  /** Language tag in its canonical form. */
  locale?: string;
  chatChannel?: string;
  chatToken?: ChatToken & { obtainedAtMs?: number };
  emailSuppressionStatus?: EmailSuppressionStatus;
  quietHours?: QuietHours;
  /** Until then nothing disturbs the user. */
  pausedUntilMs?: number;
  /** Their own record decides at delivery; this one tells who asks for a text. */
  smsOptOuts?: SmsOptOut[];
  lastSeenAtMs?: number;
  createdAtMs: number;
  updatedAtMs: number;
};

/** Contact data to merge: undefined leaves a field, null clears it. Normalized before. */
export type ProfileChange = {
  email?: string | null | undefined;
  number?: string | null | undefined;
  pushTokens?: PushToken[] | null | undefined;
  webPushTokens?: WebPushToken[] | null | undefined;
  timezone?: string | null | undefined;
  locale?: string | null | undefined;
  chatChannel?: string | null | undefined;
  chatToken?: ChatToken | null | undefined;
  quietHours?: QuietHours | null | undefined;
  pausedUntilMs?: number | null | undefined;
};
