/** Tries of a delivery before its last failure is recorded: with the delays below about 50 minutes. */
export const TRIES_MAX = 10;

const FIRST_SECONDS = 3;
const LONGEST_SECONDS = 900;

/**
 * Seconds until the next try: doubling from 3 s to 15 min with full jitter in the upper half, never earlier than the
 * provider asked (`afterSeconds`, at most an hour). `attempt` is 1 after the first try; `random` is in [0, 1).
 */
export function retryDelaySeconds(attempt: number, afterSeconds: number | undefined, random: number): number {
  const longest = Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (attempt - 1));
  const own = longest / 2 + (random * longest) / 2;
  return Math.ceil(Math.max(own, Math.min(afterSeconds ?? 0, 3600)));
}
