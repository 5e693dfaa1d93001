import { defined } from '../runtime/defined.ts';
import type { LogEvent } from './log-record.ts';

/**
 * The event that tells what a text or call cost, when `event` says so. Every word of a provider about one message gives
 * the same event, be it the answer to the send or a receipt, so that the cost is there once whichever comes first.
 */
export function costEventOf({ channel, atMs, fields, delivered }: LogEvent): LogEvent | undefined {
  const told = { ...fields, ...delivered };
  // A text with several files may be several messages of the provider, each with its cost.
  const { sms_sent_cost, call_delivered_cost, sms_sent_messageId: seq } = told;
  if (sms_sent_cost !== undefined) {
    return { channel, stage: 'cost', ...defined({ seq: seq || undefined }), atMs, fields: { sms_sent_cost } };
  }
  if (call_delivered_cost === undefined) return undefined;
  return { channel, stage: 'cost', atMs, fields: { call_delivered_cost } };
}
