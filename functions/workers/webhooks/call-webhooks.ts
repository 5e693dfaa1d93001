import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { WebhookCall } from '../../../shared/schemas/logs/webhook.ts';
import { callDependencies, makeCall } from './make-call.ts';

/**
 * Calls webhooks. A failed attempt is not a failed message: the next one is enqueued or waits in the table.
 * If this ends between the receiver's response and its record, the receiver is called again with the same ID.
 */
export const handler = queueWorker(
  { name: WEBHOOK_QUEUE, body: WebhookCall, failed: 'a webhook call did not complete' },
  callDependencies,
  async ({ body: call, attempt: receives, ...deps }) => {
    await makeCall(deps, call, receives);
    return 'done';
  },
);
