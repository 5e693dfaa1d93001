import { CHANNELS, type Channel } from '../schemas/channel.ts';

/** Caps of a billing period (SPEC 2.14); `costCap` in USD, of SMS and CALL. A cap left out does not limit. */
export type UsageLimits = {
  messagesCap: number;
  costCap: number;
  smsCap?: number | undefined;
  callCap?: number | undefined;
  allowOverage: boolean;
};

/** A cap that is reached. */
export type ExceededCap = 'messagesCap' | 'smsCap' | 'callCap' | 'costCap';

/** Which caps the usage of a billing period has reached: none with `allowOverage` (API 7). */
export function exceededCaps(
  limits: UsageLimits,
  usage: { counts: Record<Channel, number>; costUsd: number },
): ExceededCap[] {
  if (limits.allowOverage) return [];
  const { counts, costUsd } = usage;
  const messages = CHANNELS.reduce((sum, channel) => sum + counts[channel], 0);
  const reached: [ExceededCap, boolean][] = [
    ['messagesCap', messages >= limits.messagesCap],
    ['smsCap', limits.smsCap !== undefined && counts.SMS >= limits.smsCap],
    ['callCap', limits.callCap !== undefined && counts.CALL >= limits.callCap],
    ['costCap', costUsd >= limits.costCap],
  ];
  return reached.filter(([, isReached]) => isReached).map(([cap]) => cap);
}

/** Whether an exceeded cap stops a notification that goes out on `channels`. */
export function isCapped(cap: ExceededCap, channels: readonly Channel[]): boolean {
  switch (cap) {
    case 'messagesCap':
      return true;
    case 'smsCap':
      return channels.includes('SMS');
    case 'callCap':
      return channels.includes('CALL');
    case 'costCap':
      return channels.includes('SMS') || channels.includes('CALL');
  }
}
