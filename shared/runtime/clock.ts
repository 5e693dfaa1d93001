/** The time for rules and operations. The local run replaces it with its own clock. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds and `Z`, as every timestamp of the API is written. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
