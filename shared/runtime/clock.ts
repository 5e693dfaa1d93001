/** Where rules and operations read the time. The local run replaces it by a clock of its own. */
export type Clock = { now(): number };

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds and `Z`, as every timestamp of the API is written. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
