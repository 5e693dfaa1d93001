import { DAY_MS } from '../../runtime/values/durations.ts';
import { formatterOf, isTimezone } from '../../schemas/users/timezone.ts';

/** All zones are and were within 16 hours of UTC, including local mean times. */
const OFFSET_MS_MAX = 16 * 3_600_000;

/** Before the year 100 every zone keeps its local mean time, and `Date.UTC` misreads two-digit years. */
const EARLIEST_MS = Date.UTC(100, 0, 2);
const LATEST_MS = 8.64e15 - DAY_MS;

const WRITTEN = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

/** The first timezone in `names`: the user's, then the account's, then UTC. */
export function firstTimezone(names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && isTimezone(name)) ?? 'UTC';
}

/** The most westerly and the most easterly zone of countries (ISO 3166-1 alpha-2), which may be one. */
export function outerZones(countries: readonly string[], ms: number): string[] {
  const zones = countries.flatMap((country) => zonesOf(new Intl.Locale(`und-${country}`)));
  const sorted = zones.sort((left, right) => wallClockAt(ms, left) - wallClockAt(ms, right));
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}

/** Node 22 has the former form. */
const zonesOf = (locale: Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] }) =>
  locale.getTimeZones?.() ?? locale.timeZones ?? [];

/**
 * The local time in `zone` at the instant `ms`, as the milliseconds since 1970 of the same date and time in UTC: `new
 * Date(wallClockMs).getUTCHours()` is the local hour. Throws RangeError for an unknown zone.
 */
export function wallClockAt(ms: number, zone: string): number {
  return ms + offsetMsAt(ms, zone);
}

/**
 * The instant when the clocks of `zone` show `wallClockMs` (as `wallClockAt` counts). A skipped time is the gap's end; a repeated
 * time is its first occurrence. Throws RangeError for an unknown zone.
 */
export function instantOf(wallClockMs: number, zone: string): number {
  const before = offsetMsAt(wallClockMs - OFFSET_MS_MAX, zone);
  const after = offsetMsAt(wallClockMs + OFFSET_MS_MAX, zone);
  if (before === after) return wallClockMs - before;
  const earlier = wallClockMs - Math.max(before, after);
  if (wallClockAt(earlier, zone) === wallClockMs) return earlier;
  const later = wallClockMs - Math.min(before, after);
  // Stryker disable next-line ConditionalExpression: the search finds it too, in twenty steps.
  if (wallClockAt(later, zone) === wallClockMs) return later;
  return findChange(earlier, later, zone);
}

/** The first millisecond in (`startMs`, `endMs`] with another offset than `startMs`. */
function findChange(startMs: number, endMs: number, zone: string): number {
  const offset = offsetMsAt(startMs, zone);
  let low = startMs;
  let high = endMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMsAt(middle, zone) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function offsetMsAt(ms: number, zone: string): number {
  const second = Math.floor(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS) / 1000) * 1000;
  const written = formatterOf(zone).format(second);
  const fields = WRITTEN.exec(written);
  if (!fields) throw new Error(`Unexpected form of a date: ${written}`);
  const [, month, day, year, hour, minute, seconds] = fields;
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  return shown + Number(seconds) * 1000 - second;
}
