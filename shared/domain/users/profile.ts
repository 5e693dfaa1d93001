import type { FreeForm } from '../../schemas/fields/text.ts';
import type { QuietHours } from '../../schemas/users/quiet-hours.ts';
import type { ChatToken, EmailSuppressionStatus, PushToken, WebPushToken } from '../../schemas/users/user.ts';
import type { SmsOptOut } from '../phone/sms-opt-outs.ts';

/** A push token with the time it was stored, to be compared with the time in APNs' 410 response. */
export type StoredPushToken = PushToken & { savedAtMs: number };
/** A subscription with the time it was stored; older items do not have it. */
export type StoredWebPushToken = WebPushToken & { savedAtMs?: number | undefined };

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
  /** What the person decided about text messages, to evaluate by: it is stored with the number. */
  smsOptOuts?: readonly SmsOptOut[];
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
