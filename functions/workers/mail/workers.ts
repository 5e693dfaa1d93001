import type { Worker } from '../../../shared/http/worker.ts';
import { ADMIN_MAIL_QUEUE, RECEIPTS_QUEUE } from '../../../shared/messaging/queue-names.ts';

/** Email from the service to the people who run an account. */
export const workers: readonly Worker[] = [
  {
    concern: 'mail',
    name: ADMIN_MAIL_QUEUE,
    summary: 'Emails the administrators of an account, for example about a webhook that was disabled.',
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
