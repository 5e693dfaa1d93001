import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws-events.ts';
import { queueWorker } from '../../../shared/http/queue-worker.ts';
import { PHONE_EVENTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';

/** Records events of AWS text messages and calls, which come through SNS, in the log. */
export const handler = queueWorker(
  { name: PHONE_EVENTS_QUEUE, read: (text) => text, failed: 'a phone event was not recorded' },
  phoneReceiptDependencies,
  async ({ body, clock, ...deps }) => {
    const nowMs = clock.now();
    await ingestPhoneReceipt(deps, parseAwsPhoneEvent(body, nowMs), nowMs);
    return 'done';
  },
);
