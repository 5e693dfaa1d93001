import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws-events.ts';
import { INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { eachRecord } from '../receipts/each-record.ts';

/** Takes texts to our AWS numbers, and the opt-out and opt-in keywords among them, into the log. */
export const handler = eachRecord(INBOUND_SMS_QUEUE, async ({ body }) => {
  const nowMs = resolve(clock).now();
  const receipt = parseAwsPhoneEvent(body, nowMs);
  if (receipt.kind === 'inbound') await ingestPhoneReceipt(resolve(phoneReceiptDependencies), receipt, nowMs);
});
