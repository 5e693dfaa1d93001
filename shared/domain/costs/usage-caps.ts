import type * as v from 'valibot';
import type { CurrentUsage } from '../../schemas/account/organization.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';

/** Caps of a billing period; `costCap` in USD, of SMS and CALL. An absent cap does not limit. */
export type UsageLimits = v.InferOutput<typeof CurrentUsage>['caps'];

export type Cap = 'messagesCap' | 'smsCap' | 'callCap' | 'costCap';

export function capMessage(cap: Cap): string {
  return `The ${cap} of the organization is reached for this billing period.`;
}

/** Returns the caps that the usage of a billing period has reached: none with `allowOverage`. */
export function exceededCaps(
  limits: UsageLimits,
  usage: { counts: Record<Channel, number>; costUsd: number },
): Cap[] {
  if (limits.allowOverage) return [];
  const { counts, costUsd } = usage;
  const messages = CHANNELS.reduce((sum, channel) => sum + counts[channel], 0);
  const reached: [Cap, boolean][] = [
    ['messagesCap', messages >= limits.messagesCap],
    ['smsCap', limits.smsCap !== undefined && counts.SMS >= limits.smsCap],
    ['callCap', limits.callCap !== undefined && counts.CALL >= limits.callCap],
    ['costCap', costUsd >= limits.costCap],
  ];
  return reached.filter(([, isReached]) => isReached).map(([cap]) => cap);
}

/** Returns the first exceeded cap that counts something sent on `channels`. */
export function findHitCap(exceeded: readonly Cap[], channels: readonly Channel[]): Cap | undefined {
  return channels.length === 0
    ? undefined
    : exceeded.find((cap) => channels.some((channel) => CAPPED_CHANNELS[cap].includes(channel)));
}

const CAPPED_CHANNELS: Record<Cap, readonly Channel[]> = {
  messagesCap: CHANNELS,
  smsCap: ['SMS'],
  callCap: ['CALL'],
  costCap: ['SMS', 'CALL'],
};
