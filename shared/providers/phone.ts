import type { ChannelProvider } from '../channels/channel.ts';
import { type FindCarrier, rememberCarriers } from '../channels/phone/carrier.ts';
import { carriers } from '../database/entities/carriers.ts';
import { signer } from '../database/entities/deployment-secret.ts';
import { providerCalls } from '../database/entities/provider-calls.ts';
import { choiceSetting, findSetting, numberSetting, setting } from '../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { createBreakers } from './breakers.ts';
import { failover } from './failover.ts';
import { providerClient } from './http-clients.ts';
import { lazyProvider } from './lazy-provider.ts';
import { mediaCopier } from './media-copier.ts';
import { paced } from './paced.ts';
import { type LivePhoneProviderName, phoneProviderNames } from './phone-provider-names.ts';
import { sandboxProvider } from './sandbox.ts';
import { requireSecret, secrets } from './secrets.ts';

/** The deployment's SMS provider: `SMS_PROVIDER` aws, twilio, telnyx, several of them in order, or sandbox. */
export const smsProvider: Dependency<ChannelProvider<'SMS'>> = dependency('smsProvider', () => {
  const names = phoneProviderNames('SMS_PROVIDER');
  if (names === 'sandbox') return sandboxProvider('SMS');
  // AWS takes 20 texts a second.
  return paced(inOrder('SMS', names, liveSms), numberSetting('SMS_PER_SECOND', 10));
});

/** One provider as it is; of several, each takes over where the one before certainly has not accepted a message. */
function inOrder<C extends 'SMS' | 'CALL'>(
  channel: C,
  [first, ...rest]: readonly [LivePhoneProviderName, ...LivePhoneProviderName[]],
  live: (name: LivePhoneProviderName) => ChannelProvider<C>,
): ChannelProvider<C> {
  if (rest.length === 0) return live(first);
  const calls = resolve(providerCalls);
  const deps = { calls, breakers: createBreakers(calls), clock: resolve(clock) };
  return failover(channel, [live(first), ...rest.map(live)], deps);
}

function liveSms(name: LivePhoneProviderName): ChannelProvider<'SMS'> {
  const now = resolve(clock);
  if (name === 'aws') {
    const copyMedia = resolve(mediaCopier);
    return lazyProvider('aws', async () => {
      const { createAwsSms } = await import('./aws-phone.ts');
      return createAwsSms(now, copyMedia, carrierMemory());
    });
  }
  const http = resolve(providerClient);
  return name === 'twilio'
    ? lazyProvider('twilio', async () => {
        const { createTwilioCarrierLookup, createTwilioSmsProvider } = await import(
          '../channels/phone/twilio.ts'
        );
        const service = await resolve(secrets).find('TWILIO_MESSAGING_SERVICE_SID');
        const options = { ...(await twilioOptions('sms')), http, clock: now };
        const baseUrl = setting('TWILIO_LOOKUP_BASE_URL', 'https://lookups.twilio.com');
        const findCarrier = carrierMemory()?.(createTwilioCarrierLookup({ ...options, baseUrl }));
        return createTwilioSmsProvider({
          ...options,
          ...(service ? { messagingServiceSid: service } : {}),
          ...(findCarrier ? { findCarrier } : {}),
        });
      })
    : lazyProvider('telnyx', async () => {
        const { createTelnyxCarrierLookup, createTelnyxSmsProvider } = await import(
          '../channels/phone/telnyx.ts'
        );
        const profile = findSetting('TELNYX_MESSAGING_PROFILE_ID');
        const options = { ...(await telnyxOptions('sms')), http, clock: now };
        const findCarrier = carrierMemory()?.(createTelnyxCarrierLookup(options));
        return createTelnyxSmsProvider({
          ...options,
          ...(profile ? { messagingProfileId: profile } : {}),
          ...(findCarrier ? { findCarrier } : {}),
        });
      });
}

/** The deployment's CALL provider: `CALL_PROVIDER`, as `SMS_PROVIDER`. */
export const callProvider: Dependency<ChannelProvider<'CALL'>> = dependency('callProvider', () => {
  const names = phoneProviderNames('CALL_PROVIDER');
  if (names === 'sandbox') return sandboxProvider('CALL');
  // Twilio starts one call a second; the queue's batches are smaller for it.
  return paced(inOrder('CALL', names, liveCalls), numberSetting('CALL_PER_SECOND', 1));
});

function liveCalls(name: LivePhoneProviderName): ChannelProvider<'CALL'> {
  const now = resolve(clock);
  if (name === 'aws') {
    return lazyProvider('aws', async () => {
      const { createAwsCall } = await import('./aws-phone.ts');
      return createAwsCall(now);
    });
  }
  const http = resolve(providerClient);
  return name === 'twilio'
    ? lazyProvider('twilio', async () => {
        const { createTwilioCallProvider } = await import('../channels/phone/twilio.ts');
        return createTwilioCallProvider({ ...(await twilioOptions('call')), http, clock: now });
      })
    : lazyProvider('telnyx', async () => {
        const { createTelnyxCallProvider } = await import('../channels/phone/telnyx.ts');
        const accountSid = await requireSecret('TELNYX_ACCOUNT_SID');
        const applicationId = await requireSecret('TELNYX_APPLICATION_ID');
        const options = { ...(await telnyxOptions('call')), http, clock: now };
        return createTelnyxCallProvider({ ...options, accountSid, applicationId });
      });
}

/** What makes look-ups of carriers, which cost money, once per number in 90 days; undefined: `CARRIER_LOOKUP` is off. */
function carrierMemory(): ((find: FindCarrier) => FindCarrier) | undefined {
  if (choiceSetting('CARRIER_LOOKUP', ['on', 'off'], 'off') === 'off') return undefined;
  const store = resolve(carriers);
  return (find) => rememberCarriers(find, store, resolve(clock));
}

/** Callbacks come to the deployment's public address; without one there are no receipts. */
function callbackUrl(path: string): { statusCallbackUrl?: string } {
  const base = findSetting('PUBLIC_BASE_URL');
  return base ? { statusCallbackUrl: `${base}${path}` } : {};
}

async function twilioOptions(channel: 'sms' | 'call') {
  const from = await resolve(secrets).find('TWILIO_FROM');
  return {
    baseUrl: setting('TWILIO_BASE_URL', 'https://api.twilio.com'),
    accountSid: await requireSecret('TWILIO_ACCOUNT_SID'),
    authToken: await requireSecret('TWILIO_AUTH_TOKEN'),
    ...(from ? { from } : {}),
    ...callbackUrl(`/callbacks/twilio/${channel}`),
  };
}

async function telnyxOptions(channel: 'sms' | 'call') {
  const from = await resolve(secrets).find('TELNYX_FROM');
  return {
    baseUrl: setting('TELNYX_BASE_URL', 'https://api.telnyx.com'),
    apiKey: await requireSecret('TELNYX_API_KEY'),
    sign: (text: string) => resolve(signer).sign('provider-callback', text),
    ...(from ? { from } : {}),
    ...callbackUrl(`/callbacks/telnyx/${channel}`),
  };
}
