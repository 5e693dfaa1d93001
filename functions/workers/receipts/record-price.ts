import type { QueueOutcome } from '../../../shared/http/workers/queue-worker.ts';
import { priceReader } from '../../../shared/providers/phone/twilio-readers.ts';
import type { PriceQuestion } from '../../../shared/receipts/follow-up.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import type { LogFields } from '../../../shared/schemas/logs/log-record.ts';

/** From two minutes, doubling: an hour in total. A price that is unknown by then never arrives, or is not in USD. */
const TRIES_MAX = 6;
const FIRST_WAIT_SECONDS = 120;
const LONGEST_WAIT_SECONDS = FIRST_WAIT_SECONDS * 2 ** (TRIES_MAX - 2);
const GIVE_UP_AFTER_MS = 60 * 60_000;

export const priceDependencies = { priceReader, ...phoneReceiptDependencies };

/** Records the price of a text message or call in the log once Twilio has it. */
export async function recordPrice(
  { priceReader, ...deps }: Resolved<typeof priceDependencies>,
  question: PriceQuestion,
  { attempt, sentAtMs, nowMs }: { attempt: number; sentAtMs: number; nowMs: number },
): Promise<QueueOutcome> {
  const costUsd = await priceReader.findCostUsd(question);
  if (costUsd === undefined) {
    // Receives that Lambda throttled are no tries.
    const isOver = attempt >= TRIES_MAX && nowMs - sentAtMs >= GIVE_UP_AFTER_MS;
    const againSeconds = Math.min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), LONGEST_WAIT_SECONDS);
    return isOver ? 'done' : { againSeconds };
  }
  const eventId = `${question.providerMessageId}:price`;
  const fields = fieldsOf(question, costUsd);
  await ingestPhoneReceipt(deps, { kind: 'sent_update', ...question, atMs: nowMs, fields, eventId }, nowMs);
  return 'done';
}

function fieldsOf({ channel, providerMessageId }: PriceQuestion, costUsd: number): LogFields {
  return channel === 'SMS'
    ? {
        sms_sent_messageId: providerMessageId,
        sms_sent_cost: costUsd,
        sms_carrier_cost_internal: costUsd,
        sms_delivered_cost_internal: costUsd,
      }
    : { call_delivered_cost: costUsd, call_delivered_cost_internal: costUsd };
}
