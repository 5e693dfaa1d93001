import { defined } from '../../runtime/values/defined.ts';
import type { LogEvent } from '../logs/log.ts';

/**
 * The event for the cost of a text message or call, if `event` has one. Every report of a provider about one
 * message gives the same event, whether it is the response to the send or a receipt, so that the cost is
 * recorded once.
 */
export function costEventOf({ channel, atMs, fields, delivered }: LogEvent): LogEvent | undefined {
  const shown = { ...fields, ...delivered };
  // A text message with several files may be several messages at the provider, each with its cost.
  const { sms_sent_cost, call_delivered_cost, sms_sent_messageId: seq } = shown;
  if (sms_sent_cost !== undefined) {
    return { channel, stage: 'cost', ...defined({ seq: seq || undefined }), atMs, fields: { sms_sent_cost } };
  }
  if (call_delivered_cost === undefined) return undefined;
  return { channel, stage: 'cost', atMs, fields: { call_delivered_cost } };
}

/**
 * Returns the estimate that the cost event of a sent message replaces. A message with several files has several costs: the
 * cost of the message named by the sent event replaces the whole estimate. A sent event with a cost has no estimate.
 */
export function replacedEstimate(sent: LogEvent, { seq }: Pick<LogEvent, 'seq'>): LogEvent['estimate'] {
  if (!sent.estimate) return undefined;
  const isNamed = seq === undefined || seq === sent.fields.sms_sent_messageId;
  const isHeld = isNamed && costEventOf(sent) === undefined;
  const { code, units, estimatedMicros } = sent.estimate;
  return {
    code,
    units: isNamed ? units : 0,
    estimatedMicros: isHeld ? estimatedMicros : 0,
    sentAtMs: sent.atMs,
  };
}
