import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { createTwilioCostReader } from '../../../shared/channels/phone/twilio.ts';
import { PRICE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { providerClient } from '../../../shared/providers/http-clients.ts';
import { requireSecret } from '../../../shared/providers/secrets.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';
import { PriceQuestion } from '../../../shared/receipts/price-question.ts';
import { setting } from '../../../shared/runtime/config.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import type { LogFields } from '../../../shared/schemas/log-record.ts';

/** Two minutes doubling: an hour in all. A price that is not known then never comes, or is not in USD. */
const TRIES_MAX = 6;
const FIRST_WAIT_SECONDS = 120;

/** Takes prices into the log as Twilio gets to know them. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async (record) => {
      try {
        return await answer(record);
      } catch (error) {
        log.error('a price was not read', { worker: PRICE_QUEUE }, error);
        return { itemIdentifier: record.messageId };
      }
    }),
  );
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}

async function answer(record: SQSRecord): Promise<SQSBatchItemFailure | undefined> {
  const question = v.parse(PriceQuestion, JSON.parse(record.body));
  const costUsd = await findCostUsd(question);
  if (costUsd !== undefined) {
    await take(question, costUsd);
    return undefined;
  }
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  if (attempt >= TRIES_MAX) return undefined;
  const seconds = FIRST_WAIT_SECONDS * 2 ** (attempt - 1);
  await resolve(queues).changeVisibility(PRICE_QUEUE, record.receiptHandle, seconds);
  return { itemIdentifier: record.messageId };
}

async function findCostUsd({ channel, providerMessageId }: PriceQuestion): Promise<number | undefined> {
  const reader = createTwilioCostReader({
    baseUrl: setting('TWILIO_BASE_URL', 'https://api.twilio.com'),
    accountSid: await requireSecret('TWILIO_ACCOUNT_SID'),
    authToken: await requireSecret('TWILIO_AUTH_TOKEN'),
    http: resolve(providerClient),
  });
  return reader.findCostUsd(channel, providerMessageId);
}

async function take(question: PriceQuestion, costUsd: number): Promise<void> {
  const nowMs = resolve(clock).now();
  const eventId = `${question.providerMessageId}:price`;
  const fields = fieldsOf(question, costUsd);
  const receipt = { kind: 'sent_update', ...question, atMs: nowMs, fields, eventId } as const;
  await ingestPhoneReceipt(resolve(phoneReceiptDependencies), receipt, nowMs);
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
