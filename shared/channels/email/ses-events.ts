import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { isoOf } from '../../runtime/clock.ts';
import type { LogFields } from '../../schemas/log-record.ts';
import type { EmailSuppressionStatus } from '../../schemas/user.ts';
import type { EmailFailureCode } from './email-failure.ts';
import { onlyFilled } from './only-filled.ts';
import { readSesEvent } from './ses-event-readers.ts';
import { SesEventShape } from './ses-event-shape.ts';

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

const Envelope = v.object({ Type: v.literal('Notification'), Message: v.string() });
const BusEvent = v.object({ source: v.literal('aws.ses'), detail: v.looseObject({}) });

/**
 * Reads an event of SES: an SNS notification (text or object), the event inside of one, or an EventBridge event.
 * Undefined for anything else, SNS's own messages and SES's validation text among them.
 */
export function parseSesEvent(input: unknown): SesEvent | undefined {
  const parsed = v.safeParse(SesEventShape, unwrap(input));
  if (!parsed.success) return undefined;
  const event = parsed.output;
  const name = (event.eventType || event.notificationType).replaceAll(' ', '');
  if (name === '') return undefined;
  const timed = readSesEvent(name, event);
  const atMs = toMs(timed.timestamp) ?? toMs(event.mail.timestamp);
  if (atMs === undefined) return undefined;
  const reading = timed.read(isoOf(atMs));
  return {
    ...reading,
    fields: onlyFilled(reading.fields),
    messageId: event.mail.messageId,
    ...tagsOf(event),
    atMs,
    eventId: identify(event, name, atMs, reading.recipients),
  };
}

function unwrap(input: unknown): unknown {
  const value = typeof input === 'string' ? findJson(input) : input;
  if (v.is(Envelope, value)) return findJson(value.Message);
  return v.is(BusEvent, value) ? value.detail : value;
}

function tagsOf({ mail: { tags } }: SesEventShape) {
  return onlyFilled({
    trackingId: tags.trackingId?.[0],
    accountId: tags.accountId?.[0],
    environmentId: tags.envId?.[0],
  });
}

// SNS delivers at least once. Two clicks of one moment differ by their link only.
function identify(event: SesEventShape, name: string, atMs: number, recipients: string[]): string {
  const parts = [event.mail.messageId, name, recipients.toSorted(), atMs, event.click?.link ?? ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function toMs(timestamp: string): number | undefined {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
