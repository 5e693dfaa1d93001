const DAY_SECONDS = 86_400;

/** When a log that begins at `fromMs` and is kept for `retentionDays` expires, epoch seconds. */
export function logExpiry(retentionDays: number, fromMs: number): number {
  return Math.ceil(fromMs / 1000) + Math.round(retentionDays * DAY_SECONDS);
}
