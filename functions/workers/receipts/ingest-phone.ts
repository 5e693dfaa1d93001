import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws-events.ts';
import { PHONE_EVENTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { eachRecord } from './each-record.ts';

/** Takes events of AWS text messages and calls from SNS into the log. */
export const handler = eachRecord(PHONE_EVENTS_QUEUE, async ({ body }) => {
  const nowMs = resolve(clock).now();
  const receipt = parseAwsPhoneEvent(body, nowMs);
  await ingestPhoneReceipt(resolve(phoneReceiptDependencies), receipt, nowMs);
});
