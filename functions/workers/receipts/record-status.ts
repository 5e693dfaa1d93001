import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import type { QueueOutcome } from '../../../shared/http/workers/queue-worker.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { FIRST_STATUS_AFTER_SECONDS } from '../../../shared/providers/phone/ask-for-status.ts';
import { statusReader } from '../../../shared/providers/phone/twilio-readers.ts';
import { askForPrice } from '../../../shared/receipts/ask-for-price.ts';
import type { StatusQuestion } from '../../../shared/receipts/follow-up.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';

/** Twilio keeps a text message in its queue for up to ten hours; a call may take as long as it likes. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;
const WAIT_SECONDS_MAX = 6 * 60 * 60;

export const statusDependencies = { statusReader, queues, ...phoneReceiptDependencies };

/**
 * Records the final status of a text message or call whose callbacks were lost, and asks for its price. Asks again after as
 * long as the message is old: how often it was received says nothing, since Lambda also receives what it then throttles.
 */
export async function recordStatus(
  { statusReader, queues, ...deps }: Resolved<typeof statusDependencies>,
  question: StatusQuestion,
  nowMs: number,
): Promise<QueueOutcome> {
  const { channel, trackingId, sentAtMs } = question;
  const log = await deps.logs.find(trackingId, nowMs);
  if (!log || isFinal(log, channel)) return 'done';
  const ageMs = nowMs - sentAtMs;
  const found = await statusReader.find(question, nowMs);
  if (!found) return 'done';
  const { receipt, owner } = found;
  if (receipt.kind !== 'delivered' && receipt.kind !== 'failed') {
    const ageSeconds = Math.floor(ageMs / 1000);
    const againSeconds = Math.min(Math.max(ageSeconds, FIRST_STATUS_AFTER_SECONDS), WAIT_SECONDS_MAX);
    return ageMs >= GIVE_UP_AFTER_MS ? 'done' : { againSeconds };
  }
  // Before the record: a repetition would find it, and ask no more.
  if (!owner) await askForPrice(queues, priceQuestionOf(question));
  await ingestPhoneReceipt(deps, receipt, nowMs, { owner });
  return 'done';
}

function isFinal({ events }: Log, channel: StatusQuestion['channel']): boolean {
  return events.some(
    (event) => event.channel === channel && (event.stage === 'delivered' || event.stage === 'failed'),
  );
}

function priceQuestionOf({ channel, providerMessageId, trackingId, accountId, provider }: StatusQuestion) {
  return { channel, providerMessageId, trackingId, accountId, ...defined({ provider }) };
}
