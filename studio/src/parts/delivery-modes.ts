import type { ChannelId } from './channel.tsx';

export const MODES = ['instant', 'hourly', 'daily', 'weekly', 'monthly'] as const;
export type Mode = (typeof MODES)[number];

/** The delivery options of a channel: in-app has no digests. */
export function deliveryModesOf(channel: ChannelId): readonly ('off' | Mode)[] {
  return channel === 'INAPP_WEB' ? ['off', 'instant'] : ['off', ...MODES];
}
