import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { isoOf } from '../../../runtime/clock.ts';
import { findJson } from '../../../runtime/values/find-json.ts';
import { onlyFilled } from '../only-filled.ts';
import type { SesEvent } from './ses-event.ts';
import { readSesEvent } from './ses-event-readers.ts';
import { SesEventShape } from './ses-event-shape.ts';

const Envelope = v.object({ Type: v.literal('Notification'), Message: v.string() });
const BusEvent = v.object({ source: v.literal('aws.ses'), detail: v.looseObject({}) });

/** SES accepts no email with more. */
const RECIPIENTS_MAX = 50;

/**
 * Reads an event of SES: an SNS notification (text or object), the event inside of one, or an EventBridge event. A bounce of
 * several recipients is an event for each, because a server says something else of each. None for anything else, including
 * SNS's own messages and SES's validation text.
 */
export function parseSesEvents(input: unknown): SesEvent[] {
  const parsed = v.safeParse(SesEventShape, unwrap(input));
  if (!parsed.success) return [];
  const { bounce, ...event } = parsed.output;
  if (!bounce || bounce.bouncedRecipients.length === 0) return readEvent(parsed.output);
  return bounce.bouncedRecipients
    .slice(0, RECIPIENTS_MAX)
    .flatMap((each) => readEvent({ ...event, bounce: { ...bounce, bouncedRecipients: [each] } }));
}

function readEvent(event: SesEventShape): SesEvent[] {
  const name = (event.eventType || event.notificationType).replaceAll(' ', '');
  if (name === '') return [];
  const timed = readSesEvent(name, event);
  const atMs = toMs(timed.timestamp) ?? toMs(event.mail.timestamp);
  if (atMs === undefined) return [];
  const reading = timed.read(isoOf(atMs));
  const read = {
    ...reading,
    fields: onlyFilled(reading.fields),
    messageId: event.mail.messageId,
    ...tagsOf(event),
    atMs,
    eventId: identify(event, name, atMs, reading.recipients),
  };
  return [read];
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
