import { expect, it } from 'vitest';
import { applyLocalSettings } from '../../../../infra/local/start/local-settings.ts';
import { readStartOptions } from '../../../../infra/local/start/start-options.ts';

/** What the start prints when this fails. */
function lineOf(start: () => unknown): string {
  try {
    start();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it would start');
}

it.each([
  [['--port', 'x'], '--port must be a number'],
  [['--port', '65536'], '--port must be a number'],
  [['--port', ''], '--port must be a number'],
  [['--clock', 'noon'], '--clock must be an ISO 8601 time'],
  [['--clock', 'Nov 21 2026'], '--clock must be an ISO 8601 time'],
  [['--clock', '9999-01-01T00:00:00Z'], '--clock must be an ISO 8601 time'],
  [['--database', 'mysql'], '--database must be embedded or dynamodb-local'],
  [['--table-port', 'x'], '--table-port must be a number'],
  [['--table-port', '0', '--database', 'dynamodb-local'], '--table-port serves the embedded table'],
  [['--no-such-option'], '--help lists the options'],
  [['--port'], '--help lists the options'],
])('reports in one line that %j is a wrong option', (args, message) => {
  const line = lineOf(() => readStartOptions(args));
  expect(line).toContain(message);
  expect(line).not.toContain('\n');
});

it.each([
  [{ EMAIL_PROVIDER: 'smpt' }, 'EMAIL_PROVIDER must be one of ses, smtp, sandbox'],
  [{ EMAIL_PROVIDER: 'smtp' }, 'EMAIL_PROVIDER=smtp needs SMTP_URL'],
  [{ EMAIL_PROVIDER: 'smtp', SMTP_URL: 'mail.example.com' }, 'SMTP_URL must be smtp://'],
  [{ EMAIL_PROVIDER: 'smtp', SMTP_URL: 'smtp://mail.example.com/inbox' }, 'SMTP_URL may end only in ?tls='],
  [{ SMS_PROVIDER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1' }, 'SMS_PROVIDER=twilio needs TWILIO_AUTH_TOKEN'],
  [
    { EMAIL_PROVIDER: 'smtp,smtp:backup', SMTP_URL: 'smtp://127.0.0.1' },
    'EMAIL_PROVIDER=smtp:backup needs SMTP_URL_BACKUP',
  ],
  [{ EMAIL_PROVIDER: 'smtp:backup', SMTP_URL_BACKUP: 'mail.example.com' }, 'SMTP_URL_BACKUP must be smtp://'],
  [{ EMAIL_PROVIDER: 'ses,ses:eu' }, 'EMAIL_PROVIDER ses:eu must have no name'],
  [{ EMAIL_PROVIDER: 'ses,sandbox' }, 'EMAIL_PROVIDER has sandbox among others'],
  [{ SMS_PROVIDER: 'twilio,twilio' }, 'SMS_PROVIDER has an entry twice'],
  [{ EMAIL_PER_SECOND: 'many' }, 'EMAIL_PER_SECOND must be an integer'],
  [{ EGRESS_ALLOW_HOSTS: 'localhost' }, 'EGRESS_ALLOW_HOSTS must be a list of host:port'],
  [{ PUBLIC_BASE_URL: 'example.com' }, 'PUBLIC_BASE_URL must be an http or https URL'],
])('reports the settings %j in one line', (settings: Record<string, string>, message) => {
  Object.assign(process.env, settings);
  const line = lineOf(applyLocalSettings);
  expect(line).toContain(message);
  expect(line).not.toContain('\n');
});
