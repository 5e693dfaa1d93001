import { existsSync } from 'node:fs';
import { misspeltSettings, settingProblems } from '../../settings.ts';

/** The sandbox on every channel. */
export const SANDBOX_PROVIDERS = {
  EMAIL_PROVIDER: 'sandbox',
  SMS_PROVIDER: 'sandbox',
  CALL_PROVIDER: 'sandbox',
  PUSH_PROVIDER: 'sandbox',
  WEB_PUSH_PROVIDER: 'sandbox',
  CHAT_PROVIDER: 'sandbox',
  INAPP_PROVIDER: 'sandbox',
};

const DEFAULTS: Record<string, string> = {
  ...SANDBOX_PROVIDERS,
  TABLE_NAME: 'notifications',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  LOG_LEVEL: 'ERROR',
  POWERTOOLS_DEV: 'false',
  MAIL_DOMAIN: 'mail.localhost.test',
  MAIL_RECEIVING: 'on',
  SANDBOX_SENDERS: 'verified',
  DOMAIN_PROVIDER: 'sandbox',
  EVENT_BUS: 'sandbox',
  PAYMENT_PROVIDER: 'sandbox',
  BACKEND_PLATFORM: 'sandbox',
  IDENTITY_PROVIDER: 'sandbox',
};

/**
 * Sets the settings of the local run; the environment and the file .env take precedence. Throws one line with
 * all problems. Prints a line for each name that is probably a misspelt setting.
 */
export function applyLocalSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const problems = settingProblems(process.env);
  if (problems.length > 0) throw new Error(`${problems.join('; ')} (docs/configuration.md).`);
  for (const line of misspeltSettings(process.env)) console.error(`${line} (docs/configuration.md)`);
  for (const [name, value] of Object.entries(DEFAULTS)) process.env[name] ||= value;
}

/** Lets customers' URLs, webhooks above all, reach this machine; for a run that only this machine reaches. */
export function allowLoopbackTargets(): void {
  const hosts = process.env.EGRESS_ALLOW_HOSTS;
  process.env.EGRESS_ALLOW_HOSTS = [...(hosts ? [hosts] : []), 'localhost:*', '127.0.0.1:*', '[::1]:*'].join(
    ',',
  );
}
