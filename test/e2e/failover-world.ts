import { type FakeTwilio, startFakeTwilio } from '../support/fakes/twilio.ts';
import { startLocalRun } from '../support/local-run.ts';
import { later, use } from '../support/use-started.ts';
import { startMailServer } from './provider-world.ts';

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

const twoOf = <T extends object>(start: () => Promise<T>) => ({
  first: later(start),
  second: later(start),
});

export const mail = twoOf(startMailServer);
export const phone = twoOf(startFakeTwilio);
export const run = later(() =>
  startLocalRun({
    settings: {
      EMAIL_PROVIDER: 'smtp,smtp:backup',
      SMTP_URL: `${mail.first.url}?tls=off`,
      SMTP_URL_BACKUP: `${mail.second.url}?tls=off`,
      SMS_PROVIDER: 'twilio,twilio:backup',
      CALL_PROVIDER: 'twilio,twilio:backup',
      ...twilioSettings(phone.first, ''),
      ...twilioSettings(phone.second, '_BACKUP'),
      EMAIL_PER_SECOND: '1000',
      SMS_PER_SECOND: '1000',
      CALL_PER_SECOND: '1000',
      // A thousand texts and calls of a new account would stop its sending.
      DAY_COST_FLOOR_USD: '100000',
    },
  }),
);

function twilioSettings({ url, accountSid, authToken }: FakeTwilio, suffix: string): Record<string, string> {
  return {
    [`TWILIO_BASE_URL${suffix}`]: url,
    [`TWILIO_ACCOUNT_SID${suffix}`]: accountSid,
    [`TWILIO_AUTH_TOKEN${suffix}`]: authToken,
    [`TWILIO_FROM${suffix}`]: '+12025550100',
  };
}

/** Starts this set-up for the tests of a file. */
export function useFailoverWorld(): void {
  use(mail.first, mail.second, phone.first, phone.second, run);
}
