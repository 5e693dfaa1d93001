import { afterAll, beforeAll } from 'vitest';
import { type FakeTwilio, startFakeTwilio } from '../support/fakes/twilio.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { startMailServer } from './provider-world.ts';

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export let mail: { first: MailServer; second: MailServer };
export let phone: { first: FakeTwilio; second: FakeTwilio };
export let run: LocalRun;

beforeAll(async () => {
  const [first, second, main, backup] = await Promise.all([
    startMailServer(),
    startMailServer(),
    startFakeTwilio(),
    startFakeTwilio(),
  ]);
  mail = { first, second };
  phone = { first: main, second: backup };
  run = await startLocalRun({
    settings: {
      EMAIL_PROVIDER: 'smtp,smtp:backup',
      SMTP_URL: `${first.url}?tls=off`,
      SMTP_URL_BACKUP: `${second.url}?tls=off`,
      SMS_PROVIDER: 'twilio,twilio:backup',
      CALL_PROVIDER: 'twilio,twilio:backup',
      ...twilioSettings(main, ''),
      ...twilioSettings(backup, '_BACKUP'),
      EMAIL_PER_SECOND: '1000',
      SMS_PER_SECOND: '1000',
      CALL_PER_SECOND: '1000',
    },
  });
});

afterAll(async () => {
  await run?.stop();
  await Promise.all([mail.first, mail.second, phone.first, phone.second].map((each) => each.close()));
});

function twilioSettings({ url, accountSid, authToken }: FakeTwilio, suffix: string): Record<string, string> {
  return {
    [`TWILIO_BASE_URL${suffix}`]: url,
    [`TWILIO_ACCOUNT_SID${suffix}`]: accountSid,
    [`TWILIO_AUTH_TOKEN${suffix}`]: authToken,
    [`TWILIO_FROM${suffix}`]: '+12025550100',
  };
}
