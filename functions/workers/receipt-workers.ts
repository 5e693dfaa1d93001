import { LOG_FOLDERS } from '../../shared/blob-folders.ts';
import {
  INBOUND_SMS_QUEUE,
  PHONE_EVENTS_QUEUE,
  PRICE_QUEUE,
  SES_EVENTS_QUEUE,
} from '../../shared/messaging/queue-names.ts';
import type { Worker } from '../../shared/worker.ts';

const common = {
  timeoutSeconds: 30,
  memoryMb: 256,
  grants: { table: ['get', 'query', 'put'], keyring: ['encrypt', 'decrypt'], blobs: { read: LOG_FOLDERS } },
} as const satisfies Partial<Worker>;

/** What takes the events of providers in AWS, which come through SNS. */
export const workers: readonly Worker[] = [
  {
    ...common,
    name: SES_EVENTS_QUEUE,
    summary: 'Takes SES events into the log and suppresses addresses that bounced or complained.',
    trigger: { kind: 'events', source: 'ses', queue: SES_EVENTS_QUEUE, batchSize: 100, gatherSeconds: 1 },
  },
  {
    ...common,
    name: PHONE_EVENTS_QUEUE,
    summary: 'Takes events of AWS text messages and calls into the log.',
    trigger: {
      kind: 'events',
      source: 'sms-voice',
      queue: PHONE_EVENTS_QUEUE,
      batchSize: 100,
      gatherSeconds: 1,
    },
  },
  {
    ...common,
    name: INBOUND_SMS_QUEUE,
    summary: 'Takes texts to our AWS numbers into the log; opt-out and opt-in keywords act at once.',
    trigger: { kind: 'events', source: 'two-way-sms', queue: INBOUND_SMS_QUEUE, batchSize: 10 },
  },
  {
    name: PRICE_QUEUE,
    summary: 'Asks Twilio for the price of texts and calls that have ended, until it is known.',
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
];
