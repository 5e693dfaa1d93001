import { parseAwsPhoneEvent } from '../../shared/channels/phone/aws-events.ts';
import { clock, resolve } from '../../shared/deps/dependency.ts';
import { PHONE_EVENTS_QUEUE } from '../../shared/messaging/queue-names.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../shared/phone-receipts.ts';
import { eachRecord } from './receipts/each-record.ts';

/** Takes events of AWS text messages and calls from SNS into the log. */
export const handler = eachRecord(PHONE_EVENTS_QUEUE, async ({ body }) => {
  const nowMs = resolve(clock).now();
  const receipt = parseAwsPhoneEvent(body, nowMs);
  await ingestPhoneReceipt(resolve(phoneReceiptDependencies), receipt, nowMs);
});
