import { WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import type { Worker } from '../../shared/worker.ts';

/** What tells customers of events. */
export const workers: readonly Worker[] = [
  {
    name: WEBHOOK_QUEUE,
    summary: "Calls customers' webhooks with signed events and appends what came of it to the log.",
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
      sendsTo: [WEBHOOK_QUEUE],
    },
    settings: ['EGRESS_ALLOW_HOSTS'],
  },
];
