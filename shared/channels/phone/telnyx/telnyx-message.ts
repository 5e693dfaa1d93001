import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { toCostUsd } from '../cost.ts';
import { toEncoding } from '../encoding.ts';
import { LenientNumber, LenientText } from '../lenient.ts';

const Amount = v.fallback(v.object({ amount: LenientNumber, currency: LenientText }), {
  amount: undefined,
  currency: undefined,
});
const NO_BREAKDOWN = { rate: v.getFallback(Amount), carrier_fee: v.getFallback(Amount) };

/** Telnyx's data about a sent message: in the response to a send and in every event of it. */
export const TelnyxMessage = v.object({
  id: v.string(),
  from: v.fallback(v.object({ phone_number: LenientText }), { phone_number: undefined }),
  to: v.fallback(
    v.array(
      v.object({
        phone_number: LenientText,
        carrier: LenientText,
        line_type: LenientText,
        status: LenientText,
      }),
    ),
    [],
  ),
  type: LenientText,
  encoding: LenientText,
  parts: LenientNumber,
  cost: Amount,
  cost_breakdown: v.fallback(v.object({ rate: Amount, carrier_fee: Amount }), NO_BREAKDOWN),
  errors: v.fallback(v.array(v.object({ code: v.string(), title: LenientText, detail: LenientText })), []),
  webhook_url: LenientText,
});
export type TelnyxMessage = v.InferOutput<typeof TelnyxMessage>;

/** The fields of the sent stage that Telnyx reports; others are omitted. */
export function toTelnyxSentFields(message: TelnyxMessage): LogFields {
  const { cost, cost_breakdown: breakdown } = message;
  const costUsd = toCostUsd(cost.amount, cost.currency);
  return defined({
    sms_sent_messageId: message.id,
    sms_sent_from: message.from.phone_number || undefined,
    sms_sent_carrier: message.to[0]?.carrier || undefined,
    sms_sent_line_type: message.to[0]?.line_type || undefined,
    sms_sent_encoding: message.type === 'MMS' ? undefined : toEncoding(message.encoding),
    sms_sent_segments: message.parts,
    sms_sent_parts: message.parts,
    sms_sent_cost: costUsd,
    sms_carrier_cost_internal: costUsd,
    sms_rate_internal: toCostUsd(breakdown.rate.amount, breakdown.rate.currency),
    sms_carrier_fee_internal: toCostUsd(breakdown.carrier_fee.amount, breakdown.carrier_fee.currency),
  });
}
