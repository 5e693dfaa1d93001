import type { ChannelProvider } from '../../channels/channel.ts';
import { numberSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import { pacedOrder } from '../order/ordered-provider.ts';
import { providerOrder } from '../order/provider-order.ts';
import { createLiveEmail } from './live-email.ts';

export const emailProvider: Dependency<ChannelProvider<'EMAIL'>> = dependency('emailProvider', () =>
  pacedOrder('EMAIL', providerOrder('EMAIL_PROVIDER'), createLiveEmail(), {
    // The rate SES grants an account that has just left its sandbox.
    perSecond: numberSetting('EMAIL_PER_SECOND'),
    // Attachments take 10 s at most, SMTP 15 s.
    deliveryMs: 27_000,
  }),
);
