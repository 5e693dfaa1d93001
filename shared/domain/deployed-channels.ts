import { setting } from '../runtime/config.ts';
import { CHANNELS, type Channel } from '../schemas/channel.ts';

/**
 * Returns the channels that this deployment does not deliver on (`CHANNELS_OFF`, separated by commas):
 * nothing reads their queues, so nothing may be accepted for them.
 */
export function channelsOff(): readonly Channel[] {
  const names = setting('CHANNELS_OFF').split(',');
  return CHANNELS.filter((channel) => names.includes(channel));
}
