import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import {
  FOLLOW_UP_QUEUE,
  INBOUND_MAIL_QUEUE,
  INBOUND_SMS_QUEUE,
  TEXT_ANSWER_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';

export const workers: readonly WorkerRow[] = [
  {
    name: INBOUND_MAIL_QUEUE,
    summary:
      'Records received email in the log of the notification it replies to, or in a new log; records bounces and opt-outs.',
    // One email may fill the memory.
    trigger: {
      kind: 'events',
      source: 'mail',
      queue: INBOUND_MAIL_QUEUE,
      batchSize: 1,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 60,
    memoryMb: 1024,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'update'],
      keyring: ['encrypt', 'decrypt'],
      blobs: { read: ['inbound', ...LOG_FOLDERS], write: ['attachments'], delete: ['inbound'] },
    },
    settings: ['MAIL_DOMAIN', 'MAIL_AUTHSERV_ID'],
  },
  {
    name: INBOUND_SMS_QUEUE,
    summary:
      'Records text messages to numbers of AWS in the log; opt-out and opt-in keywords take effect immediately.',
    trigger: {
      kind: 'events',
      source: 'two-way-sms',
      queue: INBOUND_SMS_QUEUE,
      batchSize: 10,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: { table: ['get', 'query', 'put'], blobs: { read: LOG_FOLDERS } },
    settings: ['PHONE_NUMBERS'],
  },
  {
    name: TEXT_ANSWER_QUEUE,
    summary:
      'Replies to text messages: the automatic reply of a notification once, and the responses to STOP, START and HELP.',
    trigger: {
      kind: 'queue',
      queue: TEXT_ANSWER_QUEUE,
      batchSize: 10,
      fifo: true,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: RECEIVES_MAX,
      concurrencyMax: 2,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'update'],
      keyring: ['encrypt', 'decrypt'],
      blobs: { read: LOG_FOLDERS },
      services: ['text-messages', 'opt-out-list', 'secrets'],
      sendsTo: [FOLLOW_UP_QUEUE],
    },
    settings: [
      'SMS_PROVIDER',
      'SMS_PER_SECOND',
      'CARRIER_LOOKUP',
      'TWILIO_LOOKUP_BASE_URL',
      'QUEUE_CONCURRENCY',
      'PHONE_ORIGINATION_IDENTITY',
      'PHONE_CONFIGURATION_SET',
      'PHONE_OPT_OUT_LIST',
      'PHONE_PROTECT_CONFIGURATION',
      'TWILIO_RISK_CHECK',
      'TWILIO_BASE_URL',
      'TELNYX_BASE_URL',
      'TELNYX_MESSAGING_PROFILE_ID',
      'EGRESS_ALLOW_HOSTS',
      'PROVIDER_TIMEOUT_MS',
    ],
  },
];
