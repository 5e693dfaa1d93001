import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { WebhookCall } from '../../../shared/schemas/webhook.ts';
import { makeCall } from './make-call.ts';

/**
 * Calls webhooks. A failed attempt is not a failed message: the next one is put on the queue again or waits in the table.
 * The receiver may be called twice by the same id when this ends in the middle.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async (record) => {
      try {
        await makeCall(v.parse(WebhookCall, JSON.parse(record.body)), resolve(clock));
        return undefined;
      } catch (error) {
        log.error('a webhook call did not come to an outcome', { worker: WEBHOOK_QUEUE }, error);
        return { itemIdentifier: record.messageId };
      }
    }),
  );
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}
