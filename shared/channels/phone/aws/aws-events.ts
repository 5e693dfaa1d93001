import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import { findJson } from '../../../runtime/values/find-json.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { parseCallbackTags } from '../callback-url.ts';
import { sumUsd, toCostUsd } from '../cost.ts';
import { toEncoding } from '../encoding.ts';
import { LenientNumber, LenientText } from '../lenient.ts';
import { countryOf } from '../numbers/phone-number.ts';
import { ignored, type PhoneReceipt } from '../outcome/receipt.ts';
import { AWS_EVENTS, type AwsEventMeaning } from './aws-codes.ts';

const SnsEnvelope = v.object({ Type: v.string(), Message: v.string(), Timestamp: LenientText });
const EventBridgeEvent = v.object({ source: v.literal('aws.sms-voice'), detail: v.unknown() });

const StatusEvent = v.object({
  eventType: v.string(),
  eventTimestamp: LenientNumber,
  isFinal: v.fallback(v.boolean(), false),
  messageId: v.string(),
  messageStatusDescription: LenientText,
  messageEncoding: LenientText,
  originationPhoneNumber: LenientText,
  destinationPhoneNumber: LenientText,
  isoCountryCode: LenientText,
  carrierName: LenientText,
  totalMessageParts: LenientNumber,
  totalMessagePrice: LenientNumber,
  totalCarrierFee: LenientNumber,
  context: v.fallback(v.record(v.string(), v.string()), {}),
});
type StatusEvent = v.InferOutput<typeof StatusEvent>;

const InboundMessage = v.object({
  originationNumber: v.string(),
  destinationNumber: v.string(),
  messageBody: v.fallback(v.string(), ''),
  inboundMessageId: v.string(),
  previousPublishedMessageId: LenientText,
});

const BAD_NUMBER = /invalid|unallocated|not (in service|a valid)|does ?n[o']t exist/i;

/**
 * The receipt of an AWS End User Messaging event, given as JSON text: the event itself, or the SNS notification or EventBridge
 * event that contains it. Inbound messages have no time: the notification's time is used, then `nowMs`. Only final events count;
 * they can take 72 hours.
 */
export function parseAwsPhoneEvent(text: string, nowMs: number): PhoneReceipt {
  const { event, atMs } = unwrap(findJson(text), nowMs);
  const inbound = v.safeParse(InboundMessage, event);
  if (inbound.success) return toInbound(inbound.output, atMs);
  const status = v.safeParse(StatusEvent, event);
  return status.success ? toStatus(status.output, atMs) : ignored('not an event of a message');
}

function unwrap(json: unknown, nowMs: number): { event: unknown; atMs: number } {
  const sns = v.safeParse(SnsEnvelope, json);
  if (sns.success) {
    const sentAtMs = Date.parse(sns.output.Timestamp ?? '');
    return { event: findJson(sns.output.Message), atMs: Number.isNaN(sentAtMs) ? nowMs : sentAtMs };
  }
  const bridged = v.safeParse(EventBridgeEvent, json);
  return { event: bridged.success ? bridged.output.detail : json, atMs: nowMs };
}

function toInbound(message: v.InferOutput<typeof InboundMessage>, atMs: number): PhoneReceipt {
  const answeredMessageId = message.previousPublishedMessageId;
  return {
    kind: 'inbound',
    from: message.originationNumber,
    to: message.destinationNumber,
    text: message.messageBody,
    media: [],
    providerMessageId: message.inboundMessageId,
    atMs,
    ...defined({ answeredMessageId: answeredMessageId || undefined }),
    isKeywordOurs: true,
  };
}

function toStatus(event: StatusEvent, receivedAtMs: number): PhoneReceipt {
  const { eventType, messageId } = event;
  const meaning: AwsEventMeaning | undefined = findMeaning(eventType);
  if (!meaning) return ignored('unknown event type');
  if (meaning.kind === 'progress' || !event.isFinal) return ignored('not final');
  const atMs = event.eventTimestamp ?? receivedAtMs;
  const common = {
    providerMessageId: messageId,
    atMs,
    eventId: `${messageId}:${eventType}:${event.eventTimestamp ?? ''}`,
    ...parseCallbackTags(event.context),
  };
  const isCall = eventType.startsWith('VOICE_');
  const internal = `${eventType} ${event.messageStatusDescription ?? ''}`.trim();
  if (meaning.kind === 'delivered') {
    const fields = isCall ? toCallFields(event, meaning.callCode) : toDeliveredFields(event);
    return { kind: 'delivered', channel: isCall ? 'CALL' : 'SMS', fields, ...common };
  }
  if (isCall) {
    const code = isBadNumber(event) ? '13224' : meaning.code;
    const fields: LogFields = { call_failed_code: code, call_failed_internal: internal };
    return { kind: 'failed', channel: 'CALL', code, fields, ...common };
  }
  const { code } = meaning;
  const fields = { ...toSentFields(event), sms_failed_code: code, sms_failed_internal: internal };
  return { kind: 'failed', channel: 'SMS', code, fields, ...common };
}

function findMeaning(eventType: string): AwsEventMeaning | undefined {
  const known = Object.entries(AWS_EVENTS).find(([name]) => name === eventType);
  return known?.[1];
}

function isBadNumber(event: StatusEvent): boolean {
  const { messageStatusDescription: text = '', destinationPhoneNumber: number } = event;
  return BAD_NUMBER.test(text) || (number !== undefined && countryOf(number) === undefined);
}

function toSentFields(event: StatusEvent): LogFields {
  const rateUsd = toCostUsd(event.totalMessagePrice);
  const feeUsd = toCostUsd(event.totalCarrierFee);
  const costUsd = sumUsd(rateUsd, feeUsd);
  return defined({
    sms_sent_messageId: event.messageId,
    sms_sent_from: event.originationPhoneNumber,
    sms_sent_country: event.isoCountryCode,
    sms_sent_carrier: event.carrierName,
    sms_sent_encoding: toEncoding(event.messageEncoding),
    sms_sent_segments: event.totalMessageParts,
    sms_sent_parts: event.totalMessageParts,
    sms_sent_cost: costUsd,
    sms_carrier_cost_internal: costUsd,
    sms_rate_internal: rateUsd,
    sms_carrier_fee_internal: feeUsd,
  });
}

function toDeliveredFields(event: StatusEvent): LogFields {
  const fields = toSentFields(event);
  return defined({ ...fields, sms_delivered_cost_internal: fields.sms_sent_cost });
}

function toCallFields(event: StatusEvent, callCode: LogFields['call_delivered_code']): LogFields {
  const costUsd = sumUsd(toCostUsd(event.totalMessagePrice), toCostUsd(event.totalCarrierFee));
  return defined({
    call_sent_from: event.originationPhoneNumber,
    call_delivered_code: callCode,
    call_delivered_cost_internal: costUsd,
    call_delivered_cost: costUsd,
  });
}
