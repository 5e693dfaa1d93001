import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { EVENTS_QUEUE, FOLLOW_UP_QUEUE, WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';

export const workers: readonly WorkerRow[] = [
  {
    name: WEBHOOK_QUEUE,
    summary: "Calls customers' webhooks with signed events and appends the outcome to the log.",
    trigger: {
      kind: 'queue',
      queue: WEBHOOK_QUEUE,
      batchSize: 10,
      // Endpoints that hang, until they rest, cannot take the account's concurrency.
      concurrencyMax: 50,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get', 'query', 'put', 'update', 'delete'],
      keyring: ['decrypt'],
      blobs: { read: LOG_FOLDERS },
      sendsTo: [WEBHOOK_QUEUE, FOLLOW_UP_QUEUE],
    },
    settings: ['EGRESS_ALLOW_HOSTS'],
    returns: [{ by: [], end: 'A call has a largest number of attempts, and each message makes one.' }],
  },
  {
    name: EVENTS_QUEUE,
    summary: "Publishes events on the deployment's bus of EventBridge.",
    trigger: {
      kind: 'queue',
      queue: EVENTS_QUEUE,
      batchSize: 10,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get'],
      blobs: { read: LOG_FOLDERS },
      services: ['event-bus'],
      sendsTo: [EVENTS_QUEUE],
    },
    settings: ['EVENT_BUS', 'EVENT_SOURCE'],
    returns: [
      { by: [], end: 'The bus accepts the event again; until then, it is tried every quarter of an hour.' },
    ],
  },
];
