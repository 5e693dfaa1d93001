import type { ChannelId } from './channel.tsx';

const MODES = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'] as const;

/** The delivery options of a channel: in-app has no digests. */
export function deliveryModesOf(channel: ChannelId): readonly (typeof MODES)[number][] {
  return channel === 'INAPP_WEB' ? ['off', 'instant'] : MODES;
}
