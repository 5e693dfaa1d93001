const SECOND = 1;
const MINUTE = 60;
const HOUR = 3600;

/** Seconds between the ten attempts: three days in all (the schedule of Standard Webhooks 1.0.0). */
const DELAYS_SECONDS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
const ASKED_SECONDS_MAX = 24 * HOUR;

/** Attempts of one webhook call. */
export const WEBHOOK_ATTEMPTS_MAX = DELAYS_SECONDS.length + 1;

/**
 * Seconds from a failed attempt (from 1) to the next one: the schedule's with ±20 % jitter, never earlier
 * than the receiver asked (at most a day). `random` is in [0, 1).
 */
export function webhookDelaySeconds(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number {
  const planned = DELAYS_SECONDS[attempt - 1] ?? 24 * HOUR;
  const own = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.ceil(Math.max(own, Math.min(retryAfterSeconds ?? 0, ASKED_SECONDS_MAX)));
}
