import {
  createTelnyxCallProvider,
  createTelnyxSmsProvider,
  type TelnyxCallOptions,
  type TelnyxSmsOptions,
} from '../../../../shared/channels/phone/telnyx/telnyx.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { startFakeTelnyx } from '../../../support/fakes/telnyx.ts';
import { HANG_MS } from '../../../support/until.ts';
import { started } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const http = createProviderClient({ timeoutMs: HANG_MS });

/** Gives up soon, for a provider that never responds. */
export const impatient = createProviderClient({ timeoutMs: 300 });

/** A fake Telnyx that ends with the test, and the providers that speak to it. */
export async function fakeTelnyx() {
  const fake = await started(startFakeTelnyx());
  const common = { baseUrl: fake.url, apiKey: fake.apiKey, http, clock: { now: () => NOW_MS } };
  const callCommon = { ...common, accountSid: fake.accountSid, applicationId: 'app-1' };
  return {
    fake,
    common,
    sms: (options: Partial<TelnyxSmsOptions> = {}) => createTelnyxSmsProvider({ ...common, ...options }),
    call: (options: Partial<TelnyxCallOptions> = {}) =>
      createTelnyxCallProvider({ ...callCommon, ...options }),
  };
}
