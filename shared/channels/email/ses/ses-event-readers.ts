import { defined } from '../../../runtime/values/defined.ts';
import type { EmailFailureCode } from '../email-failure.ts';
import { onlyFilled } from '../only-filled.ts';
import type { SesEvent } from './ses-event.ts';
import { bounceOf, codeOfComplaint, complaintSuppresses } from './ses-event-codes.ts';
import type { SesEventShape } from './ses-event-shape.ts';

/** The content of an event, once its time is known. */
type Reading = Pick<
  SesEvent,
  'type' | 'fields' | 'recipients' | 'code' | 'suppress' | 'transientBounce' | 'internal'
>;
/** An event's own time as received, and its content. */
export type TimedReading = { timestamp: string; read(at: string): Reading };
type Reader = (event: SesEventShape) => TimedReading | undefined;

const INTERNAL_LENGTH_MAX = 4000;

/** When SES is asked for an event, by the deployment's settings: each event is billed. */
type Asked = 'always' | 'for receipts' | 'for tracking' | 'never';

const EVENTS: Readonly<Record<string, { read: Reader; asked: Asked }>> = {
  // The service's own record is earlier.
  Send: { read: readSend, asked: 'never' },
  Delivery: { read: readDelivery, asked: 'for receipts' },
  Open: { read: readOpen, asked: 'for tracking' },
  Click: { read: readClick, asked: 'for tracking' },
  Bounce: { read: readBounce, asked: 'always' },
  Complaint: { read: readComplaint, asked: 'always' },
  Reject: { read: readReject, asked: 'always' },
  RenderingFailure: { read: readRenderingFailure, asked: 'always' },
  DeliveryDelay: { read: readDelay, asked: 'for receipts' },
};

/**
 * The events that a configuration set asks SES for, as CloudFormation names them; `failures` omits what is no failure. SES
 * rewrites links and adds a pixel where it is asked for clicks and opens.
 */
export function sesEventTypes(receipts: 'all' | 'failures', isTracked: boolean): string[] {
  const isAsked = (asked: Asked) =>
    asked === 'always' ||
    (asked === 'for receipts' && receipts === 'all') ||
    (asked === 'for tracking' && isTracked);
  return Object.entries(EVENTS)
    .filter(([, { asked }]) => isAsked(asked))
    .map(([name]) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
}

/**
 * Reads the event called `name` (without spaces); one that is unknown, or lacks its part, reads as `other`.
 */
export function readSesEvent(name: string, event: SesEventShape): TimedReading {
  const row = Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined;
  return row?.read(event) ?? readOther(event);
}

function readSend({ mail }: SesEventShape): TimedReading {
  return {
    timestamp: mail.timestamp,
    read: (at) => ({
      type: 'sent',
      fields: { email_sent_at: at, email_sent_message_id: mail.messageId },
      recipients: mail.destination,
    }),
  };
}

function readDelivery({ delivery, mail }: SesEventShape): TimedReading | undefined {
  if (!delivery) return undefined;
  const recipients = delivery.recipients.length > 0 ? delivery.recipients : mail.destination;
  return {
    timestamp: delivery.timestamp,
    read: (at) => ({
      type: 'delivered',
      fields: { email_delivered_at: at, email_delivered_recipients: recipients.join(',') },
      recipients,
    }),
  };
}

function readOpen({ open, mail }: SesEventShape): TimedReading | undefined {
  if (!open) return undefined;
  return {
    timestamp: open.timestamp,
    read: (at) => ({
      type: 'opened',
      fields: {
        email_opened_at: at,
        email_opened_user_agent: open.userAgent,
        email_opened_ip: open.ipAddress,
      },
      recipients: mail.destination,
    }),
  };
}

function readClick({ click, mail }: SesEventShape): TimedReading | undefined {
  if (!click) return undefined;
  const { link, linkTags } = click;
  return {
    timestamp: click.timestamp,
    read: (at) => ({
      type: 'clicked',
      fields: {
        email_clicked_at: at,
        email_clicked_user_agent: click.userAgent,
        email_clicked_ip: click.ipAddress,
        email_clicked_link: link,
        email_clicked_link_tags: linkTags ? JSON.stringify(linkTags) : '',
      },
      recipients: mail.destination,
    }),
  };
}

function readBounce({ bounce, mail }: SesEventShape): TimedReading | undefined {
  if (!bounce) return undefined;
  const { bounceType, bounceSubType, bouncedRecipients, timestamp, feedbackId } = bounce;
  const { status, diagnosticCode } = bouncedRecipients[0] ?? {};
  const { code, suppresses, isCounted } = bounceOf(bounceType, bounceSubType, { status, diagnosticCode });
  const recipients = addressesOf(bouncedRecipients, mail.destination);
  const details = onlyFilled({ bounceType, bounceSubType, diagnosticCode, timestamp, feedbackId });
  return {
    timestamp,
    read: (at) => ({
      ...failure(at, code, recipients, { whole: bounce, diagnosticCode }),
      ...defined({
        suppress: suppresses ? { reason: 'Bounce' as const, details } : undefined,
        transientBounce: isCounted ? { reason: 'Bounce' as const, details } : undefined,
      }),
    }),
  };
}

function readComplaint({ complaint, mail }: SesEventShape): TimedReading | undefined {
  if (!complaint) return undefined;
  const { complaintFeedbackType, complaintSubType, complainedRecipients, timestamp, feedbackId } = complaint;
  const code = codeOfComplaint(complaintFeedbackType, complaintSubType);
  const recipients = addressesOf(complainedRecipients, mail.destination);
  const details = onlyFilled({ complaintFeedbackType, complaintSubType, timestamp, feedbackId });
  return {
    timestamp,
    read: (at) => ({
      ...failure(at, code, recipients, { whole: complaint }),
      ...defined({
        suppress: complaintSuppresses(code) ? { reason: 'Complaint' as const, details } : undefined,
      }),
    }),
  };
}

// SES does not report where it found the virus, so the attachments are assumed if there are any.
function readReject({ reject, mail }: SesEventShape): TimedReading | undefined {
  if (!reject) return undefined;
  const contentType = mail.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const code = /^\s*multipart\/mixed/i.test(contentType)
    ? 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE'
    : 'TRANSIENT_CONTENT_REJECTED_BOUNCE';
  return { timestamp: mail.timestamp, read: (at) => failure(at, code, mail.destination, { whole: reject }) };
}

function readRenderingFailure(event: SesEventShape): TimedReading | undefined {
  const { failure: reason, mail } = event;
  if (!reason) return undefined;
  return {
    timestamp: mail.timestamp,
    read: (at) => failure(at, 'UNDETERMINED_BOUNCE', mail.destination, { whole: reason }),
  };
}

function readDelay({ deliveryDelay, mail }: SesEventShape): TimedReading | undefined {
  if (!deliveryDelay) return undefined;
  return {
    timestamp: deliveryDelay.timestamp,
    read: () => ({
      type: 'delayed',
      fields: {},
      recipients: addressesOf(deliveryDelay.delayedRecipients, mail.destination),
      internal: toInternal(deliveryDelay),
    }),
  };
}

function readOther({ mail }: SesEventShape): TimedReading {
  return {
    timestamp: mail.timestamp,
    read: () => ({ type: 'other', fields: {}, recipients: mail.destination }),
  };
}

function failure(
  at: string,
  code: EmailFailureCode,
  recipients: string[],
  { whole, diagnosticCode }: { whole: object; diagnosticCode?: string | undefined },
): Reading {
  return {
    type: 'failed',
    code,
    recipients,
    fields: {
      email_failed_at: at,
      email_failed_code: code,
      email_failed_recipient: recipients.join(','),
      email_failed_diagnostic_code: diagnosticCode,
      email_failed_internal: toInternal(whole),
    },
  };
}

function addressesOf(listed: readonly { emailAddress: string }[], destination: string[]): string[] {
  return listed.length > 0 ? listed.map(({ emailAddress }) => emailAddress) : destination;
}

function toInternal(whole: object): string {
  return JSON.stringify(whole).slice(0, INTERNAL_LENGTH_MAX);
}
