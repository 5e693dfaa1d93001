import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { Worker } from '../../../shared/http/worker.ts';
import {
  PHONE_EVENTS_QUEUE,
  PRICE_QUEUE,
  RECEIPTS_QUEUE,
  SES_EVENTS_QUEUE,
} from '../../../shared/messaging/queue-names.ts';

const common = {
  timeoutSeconds: 30,
  memoryMb: 256,
  grants: { table: ['get', 'query', 'put'], keyring: ['encrypt', 'decrypt'], blobs: { read: LOG_FOLDERS } },
} as const satisfies Partial<Worker>;

/** Workers that receive provider events from AWS through SNS. */
export const workers: readonly Worker[] = [
  {
    ...common,
    concern: 'receipts',
    name: SES_EVENTS_QUEUE,
    summary: 'Records SES events in the log and suppresses addresses that bounced or complained.',
    trigger: {
      kind: 'events',
      source: 'ses',
      queue: SES_EVENTS_QUEUE,
      batchSize: 100,
      receiveCountMax: 10,
      gatherSeconds: 1,
    },
  },
  {
    ...common,
    concern: 'receipts',
    name: PHONE_EVENTS_QUEUE,
    summary: 'Records events of AWS text messages and calls in the log.',
    trigger: {
      kind: 'events',
      source: 'sms-voice',
      queue: PHONE_EVENTS_QUEUE,
      batchSize: 100,
      receiveCountMax: 10,
      gatherSeconds: 1,
    },
  },
  {
    concern: 'receipts',
    name: PRICE_QUEUE,
    summary: 'Requests the price of text messages and calls that have ended from Twilio, until it is known.',
    trigger: {
      kind: 'queue',
      queue: PRICE_QUEUE,
      batchSize: 10,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: 20,
      concurrencyMax: 2,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: { table: ['get', 'query', 'put'], blobs: { read: LOG_FOLDERS }, services: ['secrets'] },
    settings: ['TWILIO_BASE_URL', 'PROVIDER_TIMEOUT_MS'],
  },
  {
    concern: 'receipts',
    name: 'ingest-receipts',
    summary: 'Records receipts that arrive after the response in the log.',
    trigger: {
      kind: 'queue',
      queue: RECEIPTS_QUEUE,
      batchSize: 100,
      gatherSeconds: 1,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: 10,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'], blobs: { read: LOG_FOLDERS } },
  },
];
