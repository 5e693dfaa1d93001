import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { assertKnownNames } from '../../../../infra/aws/parameters/known-names.ts';
import { readParameters } from '../../../../infra/aws/parameters/parameters.ts';
import { SETTINGS } from '../../../../shared/runtime/settings.ts';
import { settingNames } from '../../bundle/bundle-facts.ts';

const check = (given: Record<string, unknown>) => assertKnownNames(readParameters(given), ROUTES, WORKERS);

describe('names in parameters', () => {
  it('pass when something reads them', () => {
    const settings = { EMAIL_PROVIDER: 'sandbox', SMS_PER_SECOND: '20', LOG_LEVEL: 'WARN' };
    expect(
      check({
        settings: { SMS_PROVIDER: 'twilio,twilio:backup', TWILIO_BASE_URL_BACKUP: 'https://a.example' },
      }),
    ).toBeUndefined();
    const memoryMb = { send: 1024, 'deliver-email': 1024, preflight: 256 };
    expect(check({ settings, memoryMb, queueConcurrency: { 'deliver-email': 20 } })).toBeUndefined();
  });

  it.each([
    [{ memoryMb: { sendSms: 1024 } }, 'memoryMb: there is no function sendSms, perhaps send-sms'],
    [{ reservedConcurrency: { nobody: 5 } }, 'reservedConcurrency: there is no function nobody'],
    [{ queueConcurrency: { email: 5 } }, 'there is no worker with a queue email, perhaps deliver-email'],
    [{ queueConcurrency: { dispatch: 5 } }, 'queueConcurrency: there is no worker with a queue dispatch'],
    [{ settings: { EMAIL_PROVIDR: 'ses' } }, 'settings: no function reads EMAIL_PROVIDR from here'],
    [
      { settings: { EMAIL_PROVIDER: 'pigeon' } },
      'settings: EMAIL_PROVIDER must be one of ses, smtp, sandbox',
    ],
    [{ settings: { SMS_PROVIDER: 'aws,twilio:Main' } }, 'settings: SMS_PROVIDER must be one of aws, twilio'],
    [
      { settings: { TWILIO_BASE_URL_BACKUP: 'https://a.example' } },
      'no function reads TWILIO_BASE_URL_BACKUP',
    ],
    [
      { settings: { SMS_PROVIDER: 'twilio,twilio:backup', TWILIO_BASE_URL_BACKUP: 'a.example' } },
      'settings: TWILIO_BASE_URL_BACKUP must be an http or https URL',
    ],
    [{ settings: { SMS_PER_SECOND: 'fast' } }, 'settings: SMS_PER_SECOND must be an integer'],
    [{ settings: { EMAIL_PER_SECOND: '0' } }, 'settings: EMAIL_PER_SECOND must be at least 1'],
    [{ settings: { MAIL_DOMAIN: 'mail.example.com' } }, 'settings: MAIL_DOMAIN is set by the stacks'],
    [{ settings: { TABLE_NAME: 'mine' } }, 'settings: TABLE_NAME is set by the stacks'],
    [
      { settings: { RESTORED_UNTIL: '2027-01-01T00:00:00Z' } },
      'settings: RESTORED_UNTIL is set by the stacks',
    ],
  ])('fail when nothing reads them: %j', (given, problem) => {
    expect(() => check(given)).toThrow(problem);
  });

  it('lists exactly one row per setting that the code reads', () => {
    const { settings, secrets } = settingNames();
    const names = Object.keys(SETTINGS);
    expect(names.filter((name) => !settings.has(name) && !secrets.has(name))).toEqual([]);
    expect([...settings].filter((name) => !names.includes(name))).toEqual([]);
  });
});
