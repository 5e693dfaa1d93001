import type { LogEvent } from './log-record.ts';

/** The stage of events that tell a cost and nothing else: usage counts these, each once. */
export const COST_STAGE = 'cost';

/**
 * The event that tells what a text or call cost, when `event` says so. Every word of a provider about one message gives
 * the same event, be it the answer to the send or a receipt, so that the cost is there once whichever comes first.
 */
export function costEventOf({ prefix, atMs, fields, delivered }: LogEvent): LogEvent | undefined {
  const told = { ...fields, ...delivered };
  // A text with several files may be several messages of the provider, each with its cost.
  const { sms_sent_cost, call_delivered_cost, sms_sent_messageId: seq } = told;
  if (sms_sent_cost !== undefined) {
    return { prefix, stage: COST_STAGE, ...(seq ? { seq } : {}), atMs, fields: { sms_sent_cost } };
  }
  if (call_delivered_cost === undefined) return undefined;
  return { prefix, stage: COST_STAGE, atMs, fields: { call_delivered_cost } };
}
