import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';

export const workers: readonly WorkerRow[] = [
  {
    name: 'poll-domains',
    summary:
      'Checks the sender domains that are due, updates their statuses and sends reminders of missing records. Keeps the domains that SES receives email for.',
    trigger: { kind: 'schedule', everyMinutes: 5 },
    timeoutSeconds: 300,
    memoryMb: 512,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'update', 'delete', 'check'],
      indexes: ['due'],
      keyring: ['decrypt'],
      services: ['ses', 'ses-identities', 'receipt-rules', 'secrets'],
      sendsTo: [FOLLOW_UP_QUEUE],
    },
    settings: [
      'DOMAIN_PROVIDER',
      'DNS_SERVERS',
      'MAIL_DOMAIN',
      'MAIL_FEEDBACK_HOST',
      'MAIL_SPF_INCLUDE',
      'MAIL_INBOUND_HOST',
      'MAIL_RECEIVING',
      'SES_CONFIGURATION_SET',
      'SES_TRACKED_CONFIGURATION_SET',
      'SES_IDENTITY_TAGS',
      'SES_RECEIPT_RULE_SET',
      'EMAIL_PROVIDER',
      'EMAIL_PER_SECOND',
      'QUEUE_CONCURRENCY',
      'SMTP_URL',
      'EGRESS_ALLOW_HOSTS',
    ],
  },
];
