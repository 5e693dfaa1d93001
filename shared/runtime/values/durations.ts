export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const DAY_SECONDS = 86_400;

/** The time `seconds` after `ms`, as DynamoDB's time to live has it: whole epoch seconds, rounded up. */
export function secondsAfter(ms: number, seconds = 0): number {
  return Math.ceil(ms / 1000) + seconds;
}
