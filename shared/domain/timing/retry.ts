import type { Channel } from '../../schemas/channel.ts';

/**
 * Attempts of a delivery before its last failure is recorded, by channel. With the delays below, 12 attempts
 * last for up to 55 minutes, 10 for 25, and 8 for 6: a late call is worse than none. Email has a time instead (below).
 */
export const TRIES_MAX: Readonly<Record<Channel, number>> = {
  EMAIL: 12,
  INAPP_WEB: 10,
  SMS: 10,
  CALL: 8,
  PUSH: 10,
  WEB_PUSH: 10,
  CHAT: 10,
};

/** An email is tried for these hours, unless its request or type sets other hours. */
export const EMAIL_RETRY_HOURS = 24;

const FIRST_SECONDS = 3;
const LONGEST_SECONDS = { onQueue: 900, inTable: 3600 };

/**
 * Seconds until the next attempt: doubling from 3 s to 15 min, in the table to an hour, with full jitter in the upper half,
 * never earlier than the provider asked (`afterSeconds`, at most an hour). `attempt` is 1 after the first attempt;
 * `random` is in [0, 1).
 */
export function retryDelaySeconds(
  attempt: number,
  afterSeconds: number | undefined,
  random: number,
  place: keyof typeof LONGEST_SECONDS = 'onQueue',
): number {
  const longest = Math.min(LONGEST_SECONDS[place], FIRST_SECONDS * 2 ** (attempt - 1));
  const own = longest / 2 + (random * longest) / 2;
  return Math.ceil(Math.max(own, Math.min(afterSeconds ?? 0, 3600)));
}
