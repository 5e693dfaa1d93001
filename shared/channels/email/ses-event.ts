import type { LogFields } from '../../schemas/log-record.ts';
import type { EmailSuppressionStatus } from '../../schemas/user.ts';
import type { EmailFailureCode } from './email-failure.ts';

/** An event of SES in the words of the delivery log. */
export type SesEvent = {
  /** `other`: of no interest to the log (Subscription, unknown ones). */
  type: 'delivered' | 'opened' | 'clicked' | 'failed' | 'delayed' | 'sent' | 'other';
  messageId: string;
  /** Absent on mail that was not sent with our tags. */
  trackingId?: string;
  accountId?: string;
  environmentId?: string;
  atMs: number;
  /** Log fields of the event's stage, its time among them. */
  fields: LogFields;
  /** The failure's code; also in `fields`. */
  code?: EmailFailureCode;
  /** Present when `recipients` must get no more mail. */
  suppress?: EmailSuppressionStatus;
  /** Present when it counts towards a suppression of `recipients`: mail did not get through for now. */
  transientBounce?: EmailSuppressionStatus;
  /** Whom the event is about; of an open or click, everyone who may have done it. */
  recipients: string[];
  /** The same for each delivery of the same event. */
  eventId: string;
  /** What SES says about a delay, as JSON; a failure's is in `fields`. */
  internal?: string;
};
