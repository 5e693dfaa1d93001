import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { Worker } from '../../../shared/http/worker.ts';
import { ADMIN_MAIL_QUEUE, WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';

/** Workers that send events to customers. */
export const workers: readonly Worker[] = [
  {
    concern: 'webhooks',
    name: WEBHOOK_QUEUE,
    summary: "Calls customers' webhooks with signed events and appends the outcome to the log.",
    trigger: {
      kind: 'queue',
      queue: WEBHOOK_QUEUE,
      batchSize: 10,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: 20,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get', 'put', 'update', 'delete'],
      keyring: ['decrypt'],
      blobs: { read: LOG_FOLDERS },
      sendsTo: [WEBHOOK_QUEUE, ADMIN_MAIL_QUEUE],
    },
    settings: ['EGRESS_ALLOW_HOSTS'],
  },
];
