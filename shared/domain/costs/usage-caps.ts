import type * as v from 'valibot';
import { numberSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { CurrentUsage } from '../../schemas/account/organization.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';

/**
 * Caps of a billing period; `costCap` in USD, of SMS and CALL. An absent cap does not limit. At acceptance, every channel is
 * compared with counts at most ten seconds old; just before its provider is called, a text message or call is counted in one
 * conditional write (`phone-caps.ts`).
 */
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
    ['smsCap', counts.SMS >= (limits.smsCap ?? Number.POSITIVE_INFINITY)],
    ['callCap', counts.CALL >= (limits.callCap ?? Number.POSITIVE_INFINITY)],
    ['costCap', costUsd >= limits.costCap],
  ];
  return reached.filter(([, isReached]) => isReached).map(([cap]) => cap);
}

/** Returns the first exceeded cap that counts something sent on `channels`. */
export function findHitCap(exceeded: readonly Cap[], channels: readonly Channel[]): Cap | undefined {
  return exceeded.find((cap) => channels.some((channel) => CAPPED_CHANNELS[cap].includes(channel)));
}

const CAPPED_CHANNELS: Record<Cap, readonly Channel[]> = {
  messagesCap: CHANNELS,
  smsCap: ['SMS'],
  callCap: ['CALL'],
  costCap: ['SMS', 'CALL'],
};

/** Settings that `freeCaps` reads: listed in the row of every function that evaluates or returns caps. */
export const FREE_PLAN_SETTINGS = [
  'FREE_MESSAGES_CAP',
  'FREE_COST_CAP_USD',
  'FREE_SMS_CAP',
  'FREE_CALL_CAP',
] as const;

/**
 * Caps of the free plan: `FREE_MESSAGES_CAP` (10,000,000), `FREE_COST_CAP_USD` (1,000), and `FREE_SMS_CAP`,
 * `FREE_CALL_CAP` (no cap), each per month. The platform runs in its owner's account, so they only stop
 * runaway usage.
 */
export function freeCaps(): UsageLimits {
  const smsCap = numberSetting('FREE_SMS_CAP');
  const callCap = numberSetting('FREE_CALL_CAP');
  return {
    messagesCap: numberSetting('FREE_MESSAGES_CAP'),
    costCap: numberSetting('FREE_COST_CAP_USD'),
    ...defined({ smsCap: smsCap < 0 ? undefined : smsCap }),
    ...defined({ callCap: callCap < 0 ? undefined : callCap }),
    allowOverage: false,
  };
}
