import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';

const common = {
  timeoutSeconds: 30,
  memoryMb: 256,
  grants: { table: ['get', 'query', 'put'], blobs: { read: LOG_FOLDERS } },
} as const satisfies Partial<WorkerRow>;

/** Workers for reports that follow a delivery: SNS hands the events of AWS to the first two. */
export const workers: readonly WorkerRow[] = [
  {
    ...common,
    name: 'ingest-ses',
    summary: 'Records SES events in the log and suppresses addresses that bounced or complained.',
    trigger: { kind: 'topic', source: 'ses' },
    grants: { ...common.grants, table: ['get', 'batchGet', 'query', 'put'], keyring: ['encrypt', 'decrypt'] },
  },
  {
    ...common,
    name: 'ingest-phone',
    summary: 'Records events of AWS text messages and calls in the log.',
    trigger: { kind: 'topic', source: 'sms-voice' },
    settings: ['PHONE_NUMBERS'],
  },
  {
    ...common,
    name: FOLLOW_UP_QUEUE,
    summary:
      'Records receipts of the sandbox, and asks Twilio for lost statuses and for prices of ended messages. Emails administrators, such as about a webhook that was disabled.',
    trigger: {
      kind: 'queue',
      queue: FOLLOW_UP_QUEUE,
      batchSize: 10,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: RECEIVES_MAX,
      concurrencyMax: 5,
    },
    grants: {
      ...common.grants,
      table: ['get', 'batchGet', 'query', 'put'],
      keyring: ['encrypt', 'decrypt'],
      services: ['ses', 'secrets'],
      sendsTo: [FOLLOW_UP_QUEUE],
    },
    settings: [
      'EMAIL_PROVIDER',
      'EMAIL_PER_SECOND',
      'QUEUE_CONCURRENCY',
      'SMTP_URL',
      'SES_CONFIGURATION_SET',
      'SES_TRACKED_CONFIGURATION_SET',
      'PHONE_NUMBERS',
      'MAIL_DOMAIN',
      'EGRESS_ALLOW_HOSTS',
      'TWILIO_BASE_URL',
      'PROVIDER_TIMEOUT_MS',
    ],
    returns: [
      {
        by: [],
        end: 'A notice over the sandbox causes receipts, which cause nothing; a status is asked for a day, and then its price.',
      },
    ],
  },
];
