import { Receipt } from '../../../shared/channels/receipt.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { suppressions } from '../../../shared/database/entities/suppressions.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { queueWorker } from '../../../shared/http/queue-worker.ts';
import { RECEIPTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';

/** Records receipts from their queue in the log. Duplicate and late ones change nothing. */
export const handler = queueWorker(
  { name: RECEIPTS_QUEUE, body: Receipt, failed: 'a receipt was not recorded' },
  { logs, users, suppressions },
  async ({ body, clock, ...deps }) => {
    await ingestReceipt(deps, body, clock.now());
    return 'done';
  },
);
