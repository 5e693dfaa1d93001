const HOUR_MS = 3_600_000;
const MORNING = 9;

/** The times that the inbox offers to snooze a notification until, by the clocks of the browser. */
export const SNOOZES = ['snooze-hour', 'snooze-tomorrow'] as const;
export type Snooze = (typeof SNOOZES)[number];

/** Returns the time of a choice: an hour later, or nine o'clock on the next day. */
export function snoozeTime(choice: Snooze, now: Date): Date {
  if (choice === 'snooze-hour') return new Date(now.getTime() + HOUR_MS);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
}
