import { randomUUID } from 'node:crypto';
import { mediaFolderOf } from '../../blobs/blob-folders.ts';
import { bucket } from '../../blobs/blobs.ts';
import type { CallDelivery, ChannelProvider, SmsDelivery } from '../../channels/channel.ts';
import type { CopyMedia } from '../../channels/phone/aws/aws.ts';
import { type FindCarrier, storeCarriers } from '../../channels/phone/numbers/carrier.ts';
import { signer } from '../../database/entities/access/deployment-secret.ts';
import { carriers } from '../../database/entities/usage/carriers.ts';
import { createFairClient } from '../../http-client/fair-client.ts';
import { isPassingStatus } from '../../http-client/passing-status.ts';
import { isPublicName } from '../../http-client/public-name.ts';
import { choiceSetting, findSetting, numberSetting, requireSetting } from '../../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../../runtime/dependency.ts';
import { defined } from '../../runtime/values/defined.ts';
import { guardedClient, providerClient } from '../clients/http-clients.ts';
import { pacedOrder } from '../order/ordered-provider.ts';
import { type ProviderEntry, providerOrder } from '../order/provider-order.ts';
import { type BuildProvider, type ProviderSource, requireFrom } from '../settings/provider-source.ts';
import { askForStatus } from './ask-for-status.ts';

/** The deployment's SMS provider: the order of `SMS_PROVIDER`, or of the account. */
export const smsProvider: Dependency<ChannelProvider<'SMS'>> = dependency('smsProvider', () =>
  // AWS accepts 20 text messages per second.
  pacedOrder('SMS', providerOrder('SMS_PROVIDER'), liveSms, {
    perSecond: numberSetting('SMS_PER_SECOND'),
  }),
);

/** The deployment's CALL provider: the order of `CALL_PROVIDER`, or of the account. */
export const callProvider: Dependency<ChannelProvider<'CALL'>> = dependency('callProvider', () =>
  // Twilio starts one call per second; the queue's batches are small because of it.
  pacedOrder('CALL', providerOrder('CALL_PROVIDER'), liveCall, {
    perSecond: numberSetting('CALL_PER_SECOND'),
  }),
);

const MEDIA_BYTES_MAX = 2 * 1024 * 1024;
/** An account's share: as many files as one message may have. */
const COPIES_AT_ONCE_MAX = 10;

/** Copies a customer's media file, 2 MB at most, into the bucket that AWS reads it from, also in the local run. */
export const mediaCopier = dependency<CopyMedia>('mediaCopier', () => {
  const options = { atOnceMax: COPIES_AT_ONCE_MAX, now: resolve(clock).now };
  const fair = createFairClient(resolve(guardedClient), options);
  return async (url, accountId) => {
    const bucketName = requireSetting('BLOB_BUCKET');
    const response = await fair.request({
      accountId,
      url,
      sizeBytesMax: MEDIA_BYTES_MAX,
      onTooLarge: 'fail',
    });
    if (response.kind === 'waiting') {
      if (response.why === 'share') return { waitSeconds: response.afterSeconds };
      return { failed: 'its host keeps failing', temporary: true };
    }
    if (response.kind !== 'response')
      return { failed: response.kind, temporary: response.kind === 'timeout' };
    if (response.status !== 200)
      return { failed: `status ${response.status}`, temporary: isPassingStatus(response.status) };
    const name = `${mediaFolderOf(accountId)}/${randomUUID()}`;
    await resolve(bucket).put(name, response.body, response.headers['content-type']);
    return { s3Url: `s3://${bucketName}/${name}` };
  };
});

export const liveSms: BuildProvider<'SMS'> = async (entry, source) => {
  const now = resolve(clock);
  if (entry.provider === 'aws') {
    const { createAwsSms } = await import('./aws-phone.ts');
    return createAwsSms(now, resolve(mediaCopier), carrierMemory());
  }
  const common = { http: resolve(providerClient), clock: now };
  if (entry.provider === 'twilio') {
    const { createTwilioCarrierLookup, createTwilioSmsProvider } = await import(
      '../../channels/phone/twilio/twilio.ts'
    );
    const options = { ...(await twilioOptions('sms', entry, source)), ...common };
    const baseUrl = source.baseUrl('TWILIO_LOOKUP_BASE_URL');
    const findCarrier = carrierMemory()?.(createTwilioCarrierLookup({ ...options, baseUrl }));
    const messagingServiceSid = await source.find('TWILIO_MESSAGING_SERVICE_SID');
    const riskCheck = choiceSetting('TWILIO_RISK_CHECK');
    return createTwilioSmsProvider({
      ...options,
      riskCheck,
      ...defined({ messagingServiceSid, findCarrier }),
    });
  }
  const { createTelnyxCarrierLookup, createTelnyxSmsProvider } = await import(
    '../../channels/phone/telnyx/telnyx.ts'
  );
  const options = { ...(await telnyxOptions('sms', entry, source)), ...common };
  const messagingProfileId = source.setting('TELNYX_MESSAGING_PROFILE_ID');
  const findCarrier = carrierMemory()?.(createTelnyxCarrierLookup(options));
  return createTelnyxSmsProvider({ ...options, ...defined({ messagingProfileId, findCarrier }) });
};

export const liveCall: BuildProvider<'CALL'> = async (entry, source) => {
  const now = resolve(clock);
  if (entry.provider === 'aws') {
    const { createAwsCall } = await import('./aws-phone.ts');
    return createAwsCall(now);
  }
  const common = { http: resolve(providerClient), clock: now };
  if (entry.provider === 'twilio') {
    const { createTwilioCallProvider } = await import('../../channels/phone/twilio/twilio.ts');
    return createTwilioCallProvider({ ...(await twilioOptions('call', entry, source)), ...common });
  }
  const { createTelnyxCallProvider } = await import('../../channels/phone/telnyx/telnyx.ts');
  return createTelnyxCallProvider({
    ...(await telnyxOptions('call', entry, source)),
    ...common,
    accountSid: await requireFrom('TELNYX_ACCOUNT_SID', source, entry),
    applicationId: await requireFrom('TELNYX_APPLICATION_ID', source, entry),
  });
};

/** Looks up carriers, which costs money, once per number in 90 days; undefined: `CARRIER_LOOKUP` is off. */
function carrierMemory(): ((find: FindCarrier) => FindCarrier) | undefined {
  if (choiceSetting('CARRIER_LOOKUP') === 'off') return undefined;
  const store = resolve(carriers);
  return (find) => storeCarriers(find, store, resolve(clock));
}

/**
 * Callbacks are sent to the deployment's public address; without one, there are no receipts: providers reject
 * messages whose callback address is not public. The query names
 * the entry whose key signs the callback.
 */
function callbackUrl(path: string, { text, name }: ProviderEntry): { statusCallbackUrl?: string } {
  const base = findSetting('PUBLIC_BASE_URL');
  if (!base || !isPublicName(URL.parse(base)?.hostname ?? '')) return {};
  const query = name === undefined ? '' : `?provider=${encodeURIComponent(text)}`;
  return { statusCallbackUrl: `${base}${path}${query}` };
}

async function twilioOptions(channel: 'sms' | 'call', entry: ProviderEntry, source: ProviderSource) {
  return {
    baseUrl: source.baseUrl('TWILIO_BASE_URL'),
    accountSid: await requireFrom('TWILIO_ACCOUNT_SID', source, entry),
    authToken: await requireFrom('TWILIO_AUTH_TOKEN', source, entry),
    ...defined({ from: await source.find('TWILIO_FROM') }),
    ...callbackUrl(`/callbacks/twilio/${channel}`, entry),
    afterSent: (sid: string, delivery: SmsDelivery | CallDelivery) =>
      askForStatus(entry, channel === 'sms' ? 'SMS' : 'CALL', sid, delivery),
  };
}

async function telnyxOptions(channel: 'sms' | 'call', entry: ProviderEntry, source: ProviderSource) {
  return {
    baseUrl: source.baseUrl('TELNYX_BASE_URL'),
    apiKey: await requireFrom('TELNYX_API_KEY', source, entry),
    sign: (text: string) => resolve(signer).sign('provider-callback', text),
    ...defined({ from: await source.find('TELNYX_FROM') }),
    ...callbackUrl(`/callbacks/telnyx/${channel}`, entry),
  };
}
