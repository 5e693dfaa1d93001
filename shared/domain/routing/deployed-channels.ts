import { setting } from '../../runtime/config.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';

/**
 * Returns the channels that this deployment does not deliver on (`CHANNELS_OFF`, separated by commas). Their queues have no
 * reader, so messages for them are not accepted.
 */
export function channelsOff(): readonly Channel[] {
  const names = setting('CHANNELS_OFF').split(',');
  return CHANNELS.filter((channel) => names.includes(channel));
}
