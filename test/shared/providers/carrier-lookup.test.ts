import { beforeAll, expect, it } from 'vitest';
import { smsProvider } from '../../../shared/providers/phone/phone.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { startFakeTwilio } from '../../support/fakes/twilio.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { smsDelivery } from '../channels/phone/deliveries.ts';

const app = useApp();
const twilio = useStarted(startFakeTwilio);
beforeAll(() => {
  Object.assign(process.env, {
    SMS_PROVIDER: 'twilio',
    CARRIER_LOOKUP: 'on',
    SMS_PER_SECOND: '1000',
    TWILIO_BASE_URL: twilio.url,
    TWILIO_LOOKUP_BASE_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_FROM: '+12025550100',
  });
});

it("looks up a number's carrier once in 90 days with CARRIER_LOOKUP, and logs it with every text message", async () => {
  const lookups = () => twilio.requests.filter(({ path }) => path.startsWith('/v2/PhoneNumbers/')).length;
  const deliver = () => resolve(smsProvider).deliver(smsDelivery());
  const reported = {
    kind: 'sent',
    fields: { sms_sent_carrier: 'Fake Wireless', sms_sent_line_type: 'mobile' },
  };
  expect([await deliver(), await deliver()]).toMatchObject([reported, reported]);
  expect(lookups()).toBe(1);
  app.clock.nowMs += 90 * 86_400_000;
  expect(await deliver()).toMatchObject(reported);
  expect(lookups()).toBe(2);
});
