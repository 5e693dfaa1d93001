import { DAY_SECONDS, secondsAfter } from '../runtime/durations.ts';
/** Returns when a log that begins at `fromMs` and is kept for `retentionDays` expires, epoch seconds. */
export function logExpiry(retentionDays: number, fromMs: number): number {
  return secondsAfter(fromMs, Math.round(retentionDays * DAY_SECONDS));
}
