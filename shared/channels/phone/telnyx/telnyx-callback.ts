import { createPublicKey, verify } from 'node:crypto';
import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import { findJson } from '../../../runtime/values/find-json.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { type CallbackTags, parseCallbackTags } from '../callback-url.ts';
import { toCostUsd } from '../cost.ts';
import { type FormParams, findField, parseForm } from '../form.ts';
import { LenientNumber, LenientText } from '../lenient.ts';
import { answeredBy } from '../outcome/answered-by.ts';
import { findOutcome, UNKNOWN_CODE } from '../outcome/phone-outcome.ts';
import { ignored, type PhoneReceipt, type StatusReceipt, toProviderKeyword } from '../outcome/receipt.ts';
import { TELNYX_CODES, TELNYX_HANGUP_CAUSES } from './telnyx-codes.ts';
import { TelnyxMessage, toTelnyxSentFields } from './telnyx-message.ts';

const TOLERANCE_SECONDS = 300;
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/**
 * True if Telnyx sent this, at most 300 seconds ago (or ahead): Ed25519 over `<timestamp>|<raw body>`.
 * `publicKey` is the account's, base64 of 32 bytes; throws if it is not valid. The URL is not signed: its
 * query proves nothing.
 */
export function isTelnyxSignatureValid(input: {
  publicKey: string;
  /** Header `telnyx-signature-ed25519`. */
  signature: string | undefined;
  /** Header `telnyx-timestamp`, epoch seconds. */
  timestamp: string | undefined;
  rawBody: string | Uint8Array;
  nowMs: number;
}): boolean {
  const { signature = '', timestamp = '', rawBody, nowMs } = input;
  if (!SIGNATURE.test(signature) || !/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const x = Buffer.from(input.publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), Buffer.from(rawBody)]);
  return verify(null, signed, key, Buffer.from(signature, 'base64'));
}

const Event = v.object({
  data: v.object({
    id: LenientText,
    event_type: v.string(),
    occurred_at: LenientText,
    payload: v.record(v.string(), v.unknown()),
  }),
});

const InboundMessage = v.object({
  id: v.string(),
  type: LenientText,
  from: v.object({ phone_number: v.string() }),
  to: v.union([v.string(), v.pipe(v.array(v.object({ phone_number: v.string() })), v.minLength(1))]),
  text: LenientText,
  media: v.fallback(v.array(v.object({ url: v.string(), content_type: LenientText })), []),
  received_at: LenientText,
  autoresponse_type: LenientText,
});

const Call = v.object({
  call_control_id: v.string(),
  hangup_cause: LenientText,
  sip_hangup_cause: LenientText,
  total_cost: LenientNumber,
});

type EventContext = { tags: CallbackTags; atMs: number };

/**
 * The receipt of a callback whose signature was checked before: messages and Call Control send JSON events, TeXML calls send
 * forms. `tags` come from the query; for messages, the tags that Telnyx repeats in the signed body win.
 */
export function parseTelnyxCallback(input: {
  rawBody: string;
  tags: CallbackTags;
  nowMs: number;
}): PhoneReceipt {
  const { rawBody, tags, nowMs } = input;
  const json = findJson(rawBody);
  if (json === undefined) return parseTexmlStatus(parseForm(rawBody), { tags, atMs: nowMs });
  const event = v.safeParse(Event, json);
  if (!event.success) return ignored('not an event');
  const { event_type: type, occurred_at: occurredAt, payload } = event.output.data;
  const context = { tags, atMs: toMs(occurredAt, nowMs) };
  if (type === 'message.received') return parseInbound(payload, context);
  if (type === 'message.sent' || type === 'message.finalized') return parseMessage(type, payload, context);
  if (type === 'call.hangup' || type === 'call.cost') return parseCall(type, payload, context);
  return ignored('event type without a stage');
}

function parseMessage(type: string, payload: unknown, { tags, atMs }: EventContext): PhoneReceipt {
  const parsed = v.safeParse(TelnyxMessage, payload);
  if (!parsed.success) return ignored('not a message');
  const message = parsed.output;
  const status = message.to[0]?.status ?? '';
  const common = {
    channel: 'SMS',
    providerMessageId: message.id,
    atMs,
    eventId: `${message.id}:${type}:${status}`,
    ...tags,
    ...parseSignedTags(message.webhook_url),
  } as const;
  const sent = toTelnyxSentFields(message);
  if (type === 'message.finalized' && status === 'delivered') {
    const fields = defined({ ...sent, sms_delivered_cost_internal: sent.sms_sent_cost });
    return { kind: 'delivered', fields, ...common };
  }
  if (type === 'message.finalized' && ['delivery_failed', 'sending_failed', 'expired'].includes(status)) {
    const [error] = message.errors;
    const fallback = status === 'expired' ? '30008' : UNKNOWN_CODE;
    const code = findOutcome(TELNYX_CODES, error?.code)?.code ?? fallback;
    const internal = [error?.code, status, error?.title, error?.detail].filter(Boolean).join(' ');
    const fields = { ...sent, sms_failed_code: code, sms_failed_internal: internal };
    return { kind: 'failed', code, fields, ...common };
  }
  // Includes delivery_unconfirmed: the carrier does not report delivery, so the state remains sent.
  return { kind: 'sent_update', fields: sent, ...common };
}

function parseSignedTags(webhookUrl: string | undefined): CallbackTags {
  const url = URL.parse(webhookUrl ?? '');
  return url ? parseCallbackTags(Object.fromEntries(url.searchParams)) : {};
}

function parseInbound(payload: unknown, { atMs }: EventContext): PhoneReceipt {
  const parsed = v.safeParse(InboundMessage, payload);
  if (!parsed.success) return ignored('not a message');
  const { id, type = 'SMS', from, to, text = '', media, received_at, autoresponse_type } = parsed.output;
  if (type !== 'SMS' && type !== 'MMS') return ignored('not a text message');
  const providerKeyword = toProviderKeyword(autoresponse_type);
  return {
    kind: 'inbound',
    from: from.phone_number,
    to: typeof to === 'string' ? to : (to[0]?.phone_number ?? ''),
    text,
    media: media.map(({ url, content_type: contentType }) => ({
      url,
      ...defined({ contentType: contentType || undefined }),
    })),
    providerMessageId: id,
    atMs: toMs(received_at, atMs),
    ...defined({ providerKeyword }),
  };
}

function parseCall(type: string, payload: unknown, { tags, atMs }: EventContext): PhoneReceipt {
  const parsed = v.safeParse(Call, payload);
  if (!parsed.success) return ignored('not a call');
  const { call_control_id: id, hangup_cause: cause, sip_hangup_cause: sip, total_cost } = parsed.output;
  if (type === 'call.cost') {
    const costUsd = toCostUsd(total_cost);
    if (costUsd === undefined) return ignored('no cost');
    const fields = { call_delivered_cost_internal: costUsd, call_delivered_cost: costUsd };
    return buildCallReceipt('sent_update', { id, event: 'cost' }, fields, { tags, atMs });
  }
  // An answered call ends with SIP 200; a caller who hangs up before that clears normally too.
  const isAnswered = sip === undefined || sip === '200' || sip === 'unspecified';
  const outcome = cause === 'normal_clearing' && !isAnswered ? 'NO_ANSWER' : findEnd(cause);
  return toEndReceipt(id, outcome ?? 'UNKNOWN', [cause, sip && `SIP ${sip}`], { tags, atMs });
}

type CallEnd = NonNullable<LogFields['call_delivered_code']> | 'failed';

const TEXML_ENDS: Readonly<Record<string, CallEnd>> = {
  completed: 'COMPLETED',
  busy: 'BUSY',
  'no-answer': 'NO_ANSWER',
  canceled: 'NO_ANSWER',
  failed: 'failed',
};

function parseTexmlStatus(params: FormParams, { tags, atMs: nowMs }: EventContext): PhoneReceipt {
  const id = findField(params, 'CallSid');
  const status = findField(params, 'CallStatus') ?? '';
  if (!id) return ignored('not an event');
  const context = { tags, atMs: toMs(findField(params, 'Timestamp'), nowMs) };
  const call_answered_by = answeredBy(params);
  const byStatus = Object.hasOwn(TEXML_ENDS, status) ? TEXML_ENDS[status] : undefined;
  if (byStatus === undefined) {
    if (!call_answered_by) return ignored('not final');
    return buildCallReceipt('sent_update', { id, event: 'answered' }, { call_answered_by }, context);
  }
  const cause = findField(params, 'HangupCause');
  // These two end calls of every kind; the status shows which.
  const isVague = cause === 'normal_clearing' || cause === 'unspecified';
  const outcome = isVague ? byStatus : findEnd(cause);
  const reported = [status, cause, findField(params, 'ErrorCode'), findField(params, 'ErrorMessage')];
  const end = toEndReceipt(id, outcome ?? byStatus, reported, context);
  return end.kind === 'delivered'
    ? { ...end, fields: { ...end.fields, ...defined({ call_answered_by }) } }
    : end;
}

function findEnd(cause: string | undefined): CallEnd | undefined {
  return cause !== undefined && Object.hasOwn(TELNYX_HANGUP_CAUSES, cause)
    ? TELNYX_HANGUP_CAUSES[cause]
    : undefined;
}

function toEndReceipt(
  id: string,
  end: CallEnd,
  reported: (string | undefined)[],
  context: EventContext,
): StatusReceipt {
  if (end !== 'failed')
    return buildCallReceipt('delivered', { id, event: 'end' }, { call_delivered_code: end }, context);
  const code = reported.includes('not_found') ? '13224' : UNKNOWN_CODE;
  const fields: LogFields = {
    call_failed_code: code,
    call_failed_internal: reported.filter(Boolean).join(' '),
  };
  return { ...buildCallReceipt('failed', { id, event: 'end' }, fields, context), code };
}

function buildCallReceipt(
  kind: 'delivered' | 'failed' | 'sent_update',
  { id, event }: { id: string; event: string },
  fields: LogFields,
  { tags, atMs }: EventContext,
) {
  return {
    kind,
    channel: 'CALL' as const,
    providerMessageId: id,
    atMs,
    eventId: `${id}:${event}`,
    fields,
    ...tags,
  };
}

function toMs(time: string | undefined, fallbackMs: number): number {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? fallbackMs : ms;
}
