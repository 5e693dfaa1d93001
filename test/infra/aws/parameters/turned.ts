import type { CONTEXT } from '../../../../infra/aws/parameters/parameter-table.ts';

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b';
const DOMAIN = { domainName: 'api.example.com', certificateArn: CERTIFICATE };
const STREAM = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored/stream/2026-11-20T10:00:00.000';

/** Each parameter turned away from its default, with what it needs. */
export const TURNED: Record<Exclude<keyof typeof CONTEXT, 'stage' | 'name'>, Record<string, unknown>> = {
  protection: { protection: 'on' },
  domainName: DOMAIN,
  assignedAddress: { ...DOMAIN, assignedAddress: 'off' },
  certificateArn: DOMAIN,
  hostedZoneId: { ...DOMAIN, hostedZoneId: 'Z0123456789' },
  mailDomain: { mailDomain: 'mail.example.com' },
  sesReceiving: { mailDomain: 'mail.example.com', sesReceiving: true },
  channels: { channels: 'EMAIL,INAPP_WEB' },
  emailReceipts: { emailReceipts: 'failures' },
  trackingDomain: { trackingDomain: 'click.example.com' },
  eventBus: { eventBus: 'default' },
  settings: { settings: { EMAIL_PROVIDER: 'sandbox', SMS_PROVIDER: 'sandbox', CALL_PROVIDER: 'twilio' } },
  secretsArn: { secretsArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:providers-AbCdEf' },
  tableName: { tableName: 'restored', tableStreamArn: STREAM },
  tableStreamArn: { tableName: 'restored', tableStreamArn: STREAM },
  restoredUntil: { tableName: 'restored', tableStreamArn: STREAM, restoredUntil: '2026-11-22T10:00:00Z' },
  paused: { paused: true },
  tableEncryption: { tableEncryption: 'customer' },
  bucketEncryption: { bucketEncryption: 'customer' },
  queueEncryption: { queueEncryption: 'customer' },
  memberMfa: { memberMfa: 'required' },
  warmReadUnits: { warmReadUnits: 20_000 },
  warmWriteUnits: { warmWriteUnits: 10_000 },
  logRetentionDays: { logRetentionDays: 90 },
  apiMemoryMb: { apiMemoryMb: 1024 },
  memoryMb: { memoryMb: { dispatch: 1024 } },
  reservedConcurrency: { reservedConcurrency: { dispatch: 10 } },
  queueConcurrency: { queueConcurrency: { 'deliver-email': 20 } },
  requestsPerSecond: { requestsPerSecond: 100 },
  requestBurst: { requestBurst: 100 },
  gradual: { gradual: 'canary' },
  tracing: { tracing: 'on' },
  monthlyBudgetUsd: { monthlyBudgetUsd: 20, alarmAddress: 'oncall@example.com' },
  alarms: { alarms: 'on' },
  dashboard: { dashboard: 'on' },
  alarmAddress: { alarmAddress: 'oncall@example.com' },
};
