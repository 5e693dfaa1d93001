import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws/aws-events.ts';
import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';

/** Records text messages sent to this service's AWS numbers, opt-out and opt-in keywords included, in the log. */
export const handler = queueWorker(
  { name: INBOUND_SMS_QUEUE, read: (text) => text, failed: 'an inbound text message was not recorded' },
  phoneReceiptDependencies,
  async ({ body, clock, ...deps }) => {
    const nowMs = clock.now();
    const receipt = parseAwsPhoneEvent(body, nowMs);
    if (receipt.kind === 'inbound') await ingestPhoneReceipt(deps, receipt, nowMs);
    return 'done';
  },
);
