import type { QuietHours } from '../schemas/quiet-hours.ts';
import type { FreeForm } from '../schemas/text.ts';
import type { ChatToken, EmailSuppressionStatus, PushToken, WebPushToken } from '../schemas/user.ts';
import type { SmsOptOut } from './sms-opt-out.ts';

/** A push token with the time it was stored, to which APNs' 410 response is compared. */
export type StoredPushToken = PushToken & { savedAtMs: number };
/** A subscription with the time it was stored; older items do not have it. */
export type StoredWebPushToken = WebPushToken & { savedAtMs?: number | undefined };

/** A user's profile as rules see it. Times in milliseconds. */
export type Profile = {
  userId: string;
  email?: string;
  number?: string;
  pushTokens?: StoredPushToken[];
  webPushTokens?: StoredWebPushToken[];
  timezone?: string;
  /** Language tag in its canonical form. */
  locale?: string;
  chatChannel?: string;
  chatToken?: ChatToken & { obtainedAtMs?: number | undefined };
  /** Free-form data for templates and conditions. */
  attributes?: FreeForm;
  emailSuppressionStatus?: EmailSuppressionStatus;
  quietHours?: QuietHours;
  /** Until then, nothing is sent to the user. */
  pausedUntilMs?: number;
  /** The opt-out record itself decides at delivery; this copy is for the preview of decisions. */
  smsOptOuts?: SmsOptOut[];
  lastSeenAtMs?: number;
  createdAtMs: number;
  updatedAtMs: number;
};

/** Contact data to merge: undefined leaves a field, null clears it. Already normalized. */
export type ProfileChange = {
  email?: string | null | undefined;
  number?: string | null | undefined;
  pushTokens?: PushToken[] | null | undefined;
  webPushTokens?: WebPushToken[] | null | undefined;
  timezone?: string | null | undefined;
  locale?: string | null | undefined;
  chatChannel?: string | null | undefined;
  chatToken?: ChatToken | null | undefined;
  /** Merged by top-level name; null removes one. */
  attributes?: FreeForm | null | undefined;
  quietHours?: QuietHours | null | undefined;
  pausedUntilMs?: number | null | undefined;
};
