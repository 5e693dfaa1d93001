import type { ChannelProvider } from '../../channels/channel.ts';
import { numberSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import { pacedOrder } from '../order/ordered-provider.ts';
import { providerOrder } from '../order/provider-order.ts';
import { liveCall, liveSms } from './live-phone.ts';

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
