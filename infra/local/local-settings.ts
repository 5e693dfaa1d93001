import { existsSync } from 'node:fs';

const DEFAULTS: Record<string, string> = {
  TABLE_NAME: 'notifications',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  LOG_LEVEL: 'ERROR',
  POWERTOOLS_DEV: 'false',
  MAIL_DOMAIN: 'mail.localhost.test',
  MAIL_RECEIVING: 'on',
  EMAIL_PROVIDER: 'sandbox',
  SMS_PROVIDER: 'sandbox',
  CALL_PROVIDER: 'sandbox',
  PUSH_PROVIDER: 'sandbox',
  WEB_PUSH_PROVIDER: 'sandbox',
  CHAT_PROVIDER: 'sandbox',
  INAPP_PROVIDER: 'sandbox',
  DOMAIN_PROVIDER: 'sandbox',
  PAYMENT_PROVIDER: 'sandbox',
  BACKEND_PLATFORM: 'sandbox',
  IDENTITY_PROVIDER: 'sandbox',
};

/** Settings of the local run; what the environment or the file .env says wins. */
export function applyLocalSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
  for (const [name, value] of Object.entries(DEFAULTS)) process.env[name] ||= value;
}
