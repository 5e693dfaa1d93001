import { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import type { ChannelProvider } from '../../channels/channel.ts';
import {
  type CopyMedia,
  createAwsCallProvider,
  createAwsCarrierLookup,
  createAwsSmsProvider,
} from '../../channels/phone/aws/aws.ts';
import type { FindCarrier } from '../../channels/phone/numbers/carrier.ts';
import { createConnectedAgents } from '../../http-client/connected-agents.ts';
import type { Clock } from '../../runtime/clock.ts';
import { findSetting } from '../../runtime/config.ts';
import { CONNECT_MS, requestLimits } from '../../runtime/request-limits.ts';
import { defined } from '../../runtime/values/defined.ts';

/**
 * Text messages over this account's End User Messaging. `cached` caches carrier lookups; absent: no
 * lookups.
 */
export function createAwsSms(
  clock: Clock,
  copyMedia: CopyMedia,
  cached: ((find: FindCarrier) => FindCarrier) | undefined,
): ChannelProvider<'SMS'> {
  const options = commonOptions(clock);
  const findCarrier = cached?.(createAwsCarrierLookup(options.client));
  return createAwsSmsProvider({ ...options, copyMedia, ...defined({ findCarrier }) });
}

/** Calls over this account's End User Messaging. */
export function createAwsCall(clock: Clock): ChannelProvider<'CALL'> {
  return createAwsCallProvider(commonOptions(clock));
}

/** One attempt a call: the queue repeats. `PHONE_ORIGINATION_IDENTITY` is a number, sender ID or pool. */
function commonOptions(clock: Clock) {
  const originationIdentity = findSetting('PHONE_ORIGINATION_IDENTITY');
  const configurationSetName = findSetting('PHONE_CONFIGURATION_SET');
  return {
    client: new PinpointSMSVoiceV2Client({
      maxAttempts: 1,
      requestHandler: { ...requestLimits(), ...createConnectedAgents(CONNECT_MS) },
    }),
    clock,
    ...defined({
      originationIdentity,
      configurationSetName,
      protectConfigurationId: findSetting('PHONE_PROTECT_CONFIGURATION'),
    }),
  };
}
