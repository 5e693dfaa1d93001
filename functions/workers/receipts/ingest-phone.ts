import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws/aws-events.ts';
import { topicWorker } from '../../../shared/http/workers/topic-worker.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../../shared/receipts/phone-receipts.ts';

/** Records events of AWS text messages and calls in the log. */
export const handler = topicWorker(
  { name: 'ingest-phone', failed: 'a phone event was not recorded' },
  phoneReceiptDependencies,
  async (text, { clock, ...deps }) => {
    const nowMs = clock.now();
    await ingestPhoneReceipt(deps, parseAwsPhoneEvent(text, nowMs), nowMs, { reportedBy: 'aws' });
  },
);
