import { ADMIN_MAIL_QUEUE, RECEIPTS_QUEUE, WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
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
      sendsTo: [WEBHOOK_QUEUE, ADMIN_MAIL_QUEUE],
    },
    settings: ['EGRESS_ALLOW_HOSTS'],
  },
  {
    name: ADMIN_MAIL_QUEUE,
    summary: 'Mails the administrators of an account, such as of a webhook that was disabled.',
    trigger: {
      kind: 'queue',
      queue: ADMIN_MAIL_QUEUE,
      batchSize: 10,
      fifo: false,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: 10,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get', 'query'],
      services: ['ses', 'secrets'],
      sendsTo: [RECEIPTS_QUEUE],
    },
    settings: [
      'EMAIL_PROVIDER',
      'EMAIL_PER_SECOND',
      'QUEUE_CONCURRENCY',
      'SMTP_URL',
      'SES_CONFIGURATION_SET',
      'MAIL_DOMAIN',
      'EGRESS_ALLOW_HOSTS',
    ],
  },
];
