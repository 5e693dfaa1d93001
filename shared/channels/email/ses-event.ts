import type { LogFields } from '../../schemas/log-record.ts';
import type { EmailSuppressionStatus } from '../../schemas/user.ts';
import type { EmailFailureCode } from './email-failure.ts';

/** An event of SES in the words of the delivery log. */
export type SesEvent = {
  /** `other`: of no interest to the log (Subscription, unknown ones). */
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
  /** SES's details of a delay, as JSON; those of a failure are in `fields`. */
  internal?: string;
};
