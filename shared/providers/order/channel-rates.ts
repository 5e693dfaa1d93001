import { numberSetting } from '../../runtime/config.ts';
import type { Channel } from '../../schemas/channel.ts';

const RATES = {
  EMAIL: () => numberSetting('EMAIL_PER_SECOND'),
  SMS: () => numberSetting('SMS_PER_SECOND'),
  CALL: () => numberSetting('CALL_PER_SECOND'),
};

/** Channels whose providers accept a limited number of messages per second. */
export type PacedChannel = keyof typeof RATES;

/** Messages per second that the deployment passes to the provider of a channel. */
export function perSecondOf(channel: PacedChannel): number {
  return RATES[channel]();
}

/** True if the channel has such a rate. */
export function isPaced(channel: Channel): channel is PacedChannel {
  return Object.hasOwn(RATES, channel);
}
