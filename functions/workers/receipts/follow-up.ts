import { receiptOf } from '../../../shared/channels/receipt.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { FollowUp } from '../../../shared/receipts/follow-up.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { mailNotice, noticeDependencies } from '../mail/mail-notice.ts';
import { priceDependencies, recordPrice } from './record-price.ts';
import { recordStatus, statusDependencies } from './record-status.ts';

/**
 * Records receipts of the sandbox, and statuses and prices of Twilio, in the log, and emails notices to administrators. All of
 * them share a queue, because each queue is polled around the clock. Duplicate and late messages change nothing.
 */
export const handler = queueWorker(
  {
    name: FOLLOW_UP_QUEUE,
    body: FollowUp,
    failed: 'a receipt, status, price or notice was not recorded',
    waitsOn: FOLLOW_UP_QUEUE,
  },
  { signer, suppressions, users, ...priceDependencies, ...statusDependencies, ...noticeDependencies },
  async ({ body, id, attempt, sentAtMs, clock, ...deps }) => {
    const nowMs = clock.now();
    if (body.followUp === 'price') return recordPrice(deps, body, { attempt, sentAtMs, nowMs });
    if (body.followUp === 'status') return recordStatus(deps, body, nowMs);
    if (body.followUp === 'notice') await mailNotice(deps, body, id);
    else await ingestReceipt(deps, receiptOf(body), nowMs);
    return 'done';
  },
);
