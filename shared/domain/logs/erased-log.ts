import type { EmailSuppressionStatus } from '../../schemas/users/user.ts';

const KINDS =
  /^(Permanent|Transient|Undetermined|General|NoEmail|Suppressed|OnAccountSuppressionList|MailboxFull|MessageTooLarge|ContentRejected|AttachmentRejected|abuse|auth-failure|fraud|not-spam|other|virus)$/;
/** The details that are kept, and their possible values. */
const DETAILS = new Map(
  Object.entries({
    bounceType: KINDS,
    bounceSubType: KINDS,
    complaintSubType: KINDS,
    complaintFeedbackType: KINDS,
    status: /^[245]\.\d{1,3}\.\d{1,3}$/,
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/,
  }),
);

/** Returns the reason of a suppression by kind, code and time, without the words of a server, which may contain the address. */
export function anonymousStatus({ reason, details }: EmailSuppressionStatus): EmailSuppressionStatus {
  const kept = Object.entries(details).filter(([name, value]) => DETAILS.get(name)?.test(String(value)));
  return { reason, details: Object.fromEntries(kept) };
}
