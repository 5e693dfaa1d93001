import type { LogFields } from '../../../schemas/logs/log-record.ts';
import type { EmailSuppressionStatus } from '../../../schemas/users/user.ts';
import type { EmailFailureCode } from '../email-failure.ts';

export type SesEvent = {
  /** `other`: not for the log (Subscription, unknown types). */
  type: 'delivered' | 'opened' | 'clicked' | 'failed' | 'delayed' | 'sent' | 'other';
  messageId: string;
  /** Absent for email without this service's tags. */
  trackingId?: string;
  accountId?: string;
  environmentId?: string;
  atMs: number;
  /** Log fields of the event's stage, its time among them. */
  fields: LogFields;
  /** The failure's code; also in `fields`. */
  code?: EmailFailureCode;
  /** Present if `recipients` must get no more email. */
  suppress?: EmailSuppressionStatus;
  /** Present if it counts towards a suppression of `recipients`: a temporary bounce. */
  transientBounce?: EmailSuppressionStatus;
  /** Whom the event is about; for an open or click, everyone who may have done it. */
  recipients: string[];
  /** The same for each delivery of the same event. */
  eventId: string;
  /** SES's details of a delay, as JSON. Details of a failure are in `fields`. */
  internal?: string;
};
