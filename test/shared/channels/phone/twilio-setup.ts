import {
  createTwilioCallProvider,
  createTwilioSmsProvider,
  type TwilioCallOptions,
  type TwilioSmsOptions,
} from '../../../../shared/channels/phone/twilio/twilio.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { startFakeTwilio } from '../../../support/fakes/twilio.ts';
import { HANG_MS } from '../../../support/until.ts';
import { started } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const http = createProviderClient({ timeoutMs: HANG_MS });

/** Gives up soon, for a provider that never responds. */
export const impatient = createProviderClient({ timeoutMs: 300 });

/** A fake Twilio that ends with the test, and the providers that speak to it. */
export async function fakeTwilio() {
  const fake = await started(startFakeTwilio());
  const { accountSid, authToken } = fake;
  const common = { baseUrl: fake.url, accountSid, authToken, http, clock: { now: () => NOW_MS } };
  return {
    fake,
    common,
    sms: (options: Partial<TwilioSmsOptions> = {}) => createTwilioSmsProvider({ ...common, ...options }),
    call: (options: Partial<TwilioCallOptions> = {}) => createTwilioCallProvider({ ...common, ...options }),
  };
}
