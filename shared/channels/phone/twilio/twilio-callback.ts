import { createHmac, timingSafeEqual } from 'node:crypto';
import { defined } from '../../../runtime/values/defined.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { type CallbackTags, TWILIO_RETRIES } from '../callback-url.ts';
import { type FormParams, findField } from '../form.ts';
import { answeredBy } from '../outcome/answered-by.ts';
import { findOutcome, type PhoneFailureCode, UNKNOWN_CODE } from '../outcome/phone-outcome.ts';
import { ignored, type PhoneReceipt, toProviderKeyword } from '../outcome/receipt.ts';
import { TWILIO_CODES } from './twilio-codes.ts';

const MEDIA_MAX = 10;

const CALL_CODES: Readonly<Record<string, NonNullable<LogFields['call_delivered_code']>>> = {
  completed: 'COMPLETED',
  busy: 'BUSY',
  'no-answer': 'NO_ANSWER',
  canceled: 'UNKNOWN',
};

// SIP: not found, gone, address incomplete, does not exist anywhere (RFC 3261 21.4, 21.6).
const BAD_NUMBER_SIP_CODES = ['404', '410', '484', '604'];

/**
 * True if Twilio sent this: HMAC-SHA1 with the auth token over the URL and the sorted fields, compared in
 * constant time. `url` is the full public URL as it was given to Twilio, including the query, not one rebuilt
 * from the Host header; its port and the fragment may or may not be part of the signature.
 */
export function isTwilioSignatureValid(input: {
  authToken: string;
  url: string;
  params: FormParams;
  signature: string | undefined;
}): boolean {
  const fields = Object.entries(input.params)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => joinField(name, value))
    .join('');
  const signature = Buffer.from(input.signature ?? '');
  return urlVariants(input.url).some((url) => {
    const expected = createHmac('sha1', input.authToken).update(`${url}${fields}`, 'utf8').digest('base64');
    return signature.length === expected.length && timingSafeEqual(signature, Buffer.from(expected));
  });
}

function joinField(name: string, value: string | string[]): string {
  const values = Array.isArray(value) ? [...new Set(value)].sort() : [value];
  return values.map((each) => `${name}${each}`).join('');
}

function urlVariants(url: string): string[] {
  const [, scheme, host, port = '', rest = ''] =
    /^(https?:\/\/)((?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*))(:\d+)?(.*)$/is.exec(url) ?? [];
  if (!scheme || !host) return [url];
  const standardPort = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  const plain = [`${scheme}${host}${rest}`, `${scheme}${host}${port || standardPort}${rest}`];
  return [...plain, ...plain.map((each) => `${each}${TWILIO_RETRIES}`)];
}

/**
 * The receipt of a status callback whose signature is already verified. Message callbacks have no time, so
 * they are dated `nowMs`, and no cost: see `createTwilioCostReader`.
 */
export function parseTwilioStatus(input: {
  channel: 'SMS' | 'CALL';
  params: FormParams;
  tags: CallbackTags;
  nowMs: number;
}): PhoneReceipt {
  return input.channel === 'SMS' ? parseMessageStatus(input) : parseCallStatus(input);
}

type StatusInput = Parameters<typeof parseTwilioStatus>[0];

function parseMessageStatus({ params, tags, nowMs }: StatusInput): PhoneReceipt {
  const sid = findField(params, 'MessageSid') ?? findField(params, 'SmsSid');
  const status = findField(params, 'MessageStatus') ?? findField(params, 'SmsStatus');
  if (!sid || !status) return ignored('not a message status');
  const common = {
    channel: 'SMS',
    providerMessageId: sid,
    atMs: nowMs,
    eventId: `${sid}:${status}`,
    ...tags,
  } as const;
  const sender = defined({ sms_sent_from: findField(params, 'From') });
  if (status === 'delivered') return { kind: 'delivered', fields: sender, ...common };
  if (status !== 'undelivered' && status !== 'failed') return ignored('not final');
  const code = toCode(params);
  const fields = { sms_failed_code: code, sms_failed_internal: toInternal(status, params), ...sender };
  return { kind: 'failed', code, fields, ...common };
}

function parseCallStatus({ params, tags, nowMs }: StatusInput): PhoneReceipt {
  const sid = findField(params, 'CallSid');
  const status = findField(params, 'CallStatus');
  const call_answered_by = answeredBy(params);
  if (!sid || (!status && !call_answered_by)) return ignored('not a call status');
  const endedAtMs = Date.parse(findField(params, 'Timestamp') ?? '');
  const common = {
    channel: 'CALL',
    providerMessageId: sid,
    atMs: Number.isNaN(endedAtMs) ? nowMs : endedAtMs,
    eventId: `${sid}:${status}`,
    ...tags,
  } as const;
  if (status && Object.hasOwn(CALL_CODES, status)) {
    const fields = defined({ call_delivered_code: CALL_CODES[status], call_answered_by });
    return { kind: 'delivered', fields, ...common };
  }
  if (call_answered_by && status !== 'failed') {
    return { kind: 'sent_update', fields: { call_answered_by }, ...common, eventId: `${sid}:answered` };
  }
  if (status !== 'failed') return ignored('not final');
  const isBadNumber = BAD_NUMBER_SIP_CODES.includes(findField(params, 'SipResponseCode') ?? '');
  const code = isBadNumber ? '13224' : toCode(params);
  const fields: LogFields = { call_failed_code: code, call_failed_internal: toInternal(status, params) };
  return { kind: 'failed', code, fields, ...common };
}

function toCode(params: FormParams): PhoneFailureCode {
  return findOutcome(TWILIO_CODES, findField(params, 'ErrorCode'))?.code ?? UNKNOWN_CODE;
}

function toInternal(status: string, params: FormParams): string {
  const sip = findField(params, 'SipResponseCode');
  return [
    findField(params, 'ErrorCode'),
    status,
    findField(params, 'ErrorMessage'),
    sip === undefined ? undefined : `SIP ${sip}`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/**
 * The text message of an inbound callback whose signature is already verified. Its media URLs need the
 * account's Basic credentials. Respond with `buildReplyXml`.
 */
export function parseTwilioInbound(params: FormParams, nowMs: number): PhoneReceipt {
  const sid = findField(params, 'MessageSid') ?? findField(params, 'SmsSid');
  const from = findField(params, 'From');
  const to = findField(params, 'To');
  if (!sid || !from || !to) return ignored('not a message');
  if (from.includes(':')) return ignored('not a text message');
  const providerKeyword = toProviderKeyword(findField(params, 'OptOutType'));
  return {
    kind: 'inbound',
    from,
    to,
    text: findField(params, 'Body') ?? '',
    media: listMedia(params),
    providerMessageId: sid,
    atMs: nowMs,
    ...defined({ providerKeyword }),
  };
}

function listMedia(params: FormParams): { url: string; contentType?: string }[] {
  const count = Math.min(Number(findField(params, 'NumMedia') ?? 0) || 0, MEDIA_MAX);
  return Array.from({ length: Math.max(0, Math.trunc(count)) }, (_, index) => {
    const url = findField(params, `MediaUrl${index}`);
    const contentType = findField(params, `MediaContentType${index}`);
    return url === undefined ? [] : [{ url, ...defined({ contentType: contentType || undefined }) }];
  }).flat();
}
