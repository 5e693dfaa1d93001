const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** All zones the runtime lists. */
export const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

/** When a zone's clocks change, with the offset from then on. */
type Change = { atMs: number; offsetMs: number };

/**
 * A zone's clocks over a span, calculated without the code under test: offsets from what Intl formats, changes by
 * bisection, moments by walking minute after minute.
 */
export type WallClocks = {
  changes: Change[];
  offsetAt(ms: number): number;
  firstShowing(wallClockMs: number): number;
};

/** Reads the clocks of `zone` from `startMs` to `endMs`. Changes closer than three days would be missed. */
export function readWallClocks(zone: string, startMs: number, endMs: number): WallClocks {
  const read = offsetReader(zone);
  let before = read(startMs);
  const changes: Change[] = [{ atMs: Number.NEGATIVE_INFINITY, offsetMs: before }];
  for (let ms = startMs; ms < endMs; ms += 3 * DAY_MS) {
    const offsetMs = read(ms + 3 * DAY_MS);
    if (offsetMs === before) continue;
    changes.push({ atMs: bisect(read, ms, ms + 3 * DAY_MS), offsetMs });
    before = offsetMs;
  }
  const offsetAt = (ms: number) => {
    for (let index = changes.length - 1; index >= 0; index--) {
      const change = changes[index];
      if (change && change.atMs <= ms) return change.offsetMs;
    }
    return Number.NaN;
  };
  return { changes: changes.slice(1), offsetAt, firstShowing: (wall) => walk(offsetAt, wall) };
}

/** The first minute when the clock shows `wallClockMs` or has jumped over it. */
function walk(offsetAt: (ms: number) => number, wallClockMs: number): number {
  for (let ms = wallClockMs - 16 * HOUR_MS; ms < wallClockMs + 16 * HOUR_MS; ms += MINUTE_MS) {
    if (ms + offsetAt(ms) >= wallClockMs) return ms;
  }
  throw new Error('A clock shows every time within 16 hours of UTC');
}

function bisect(read: (ms: number) => number, startMs: number, endMs: number): number {
  const before = read(startMs);
  let [low, high] = [startMs, endMs];
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
    if (read(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the zone's offset from UTC at a whole second. */
export function offsetReader(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => {
    // 21/11/2026, 08:30:00
    const [day = 0, month = 0, ...rest] = format.format(ms).split(/\D+/).map(Number);
    const [year = 0, hour = 0, minute = 0, second = 0] = rest;
    return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
  };
}
