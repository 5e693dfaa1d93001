import { describe, expect, test } from 'vitest';
import { type DigestSettings, nextFlushAt } from '../../../../shared/domain/timing/delivery-options.ts';
import type { DigestMode } from '../../../../shared/schemas/delivery/delivery-mode.ts';
import { isFew, partOf } from '../../../support/cases.ts';
import { readWallClocks, type WallClocks, ZONES } from '../wall-clocks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2025-10-01');
const END_MS = Date.parse('2028-03-01');

const iso = (ms: number) => new Date(ms).toISOString();
const at = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

/** A digest and its ticks spelled out: days, and the minute of the day. */
type Digest = {
  mode: DigestMode;
  settings: DigestSettings;
  isDay: (day: Date) => boolean;
  minutes: number[];
};

const everyDay = () => true;
const isFirst = (day: Date) => day.getUTCDate() === 1;
const isLast = (day: Date) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1;
const hourly: Digest = {
  mode: 'hourly',
  settings: {},
  isDay: everyDay,
  minutes: Array.from({ length: 24 }, (_, hour) => hour * 60),
};
const daily = (minutes: number): Digest => ({
  mode: 'daily',
  settings: { hour: at(minutes) },
  isDay: everyDay,
  minutes: [minutes],
});
const weekly = (day: number, minutes: number): Digest => ({
  mode: 'weekly',
  settings: { hour: at(minutes), day },
  isDay: (date) => date.getUTCDay() === day,
  minutes: [minutes],
});
const monthly = (date: 'first' | 'last', minutes: number): Digest => ({
  mode: 'monthly',
  settings: { hour: at(minutes), date },
  isDay: date === 'first' ? isFirst : isLast,
  minutes: [minutes],
});
const byDefault: Digest[] = [
  hourly,
  { ...daily(480), settings: {} },
  { ...weekly(1, 540), settings: {} },
  { ...monthly('first', 600), settings: {} },
];

/** Moments are asked for many times: walking minutes is slow. */
function firstShowings(clocks: WallClocks): (wallClockMs: number) => number {
  const known = new Map<number, number>();
  return (wallClockMs) => {
    const firstMs = known.get(wallClockMs) ?? clocks.firstShowing(wallClockMs);
    known.set(wallClockMs, firstMs);
    return firstMs;
  };
}

/** Tries the days one after another, from the day before now, until a tick is shown after now. */
function expectedFlush(firstShowing: (wallClockMs: number) => number, digest: Digest, nowMs: number): number {
  for (let dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS - DAY_MS; ; dayMs += DAY_MS) {
    if (!digest.isDay(new Date(dayMs))) continue;
    // A tick of this day is within 16 hours of its wall clock read as UTC.
    const near = digest.minutes.map((minutes) => dayMs + minutes * MINUTE_MS);
    for (const wallClockMs of near.filter((ms) => ms > nowMs - 17 * HOUR_MS)) {
      const firstMs = firstShowing(wallClockMs);
      if (firstMs > nowMs) return firstMs;
    }
  }
}

function expectRight(
  zone: string,
  firstShowing: (ms: number) => number,
  digest: Digest,
  nowMs: number,
): void {
  const { mode, settings } = digest;
  const flushAtMs = nextFlushAt({ mode, settings, zone, nowMs });
  const expectedMs = expectedFlush(firstShowing, digest, nowMs);
  if (flushAtMs !== expectedMs) {
    expect({ zone, mode, settings, now: iso(nowMs), flushAt: iso(flushAtMs) }).toEqual({
      zone,
      mode,
      settings,
      now: iso(nowMs),
      flushAt: iso(expectedMs),
    });
  }
}

const BEFORE_AND_AFTER_MINUTES = [-26 * 60, -121, -60, -31, -1, 0, 1, 29, 30, 59, 60, 90, 125, 25 * 60];

describe('all time zones in 2026 and 2027', () => {
  const clocksOf = new Map(ZONES.map((zone) => [zone, readWallClocks(zone, START_MS, END_MS)]));
  /** One zone for each list of changes: Paris changes when Berlin does. */
  const DIFFERING = [
    ...new Map([...clocksOf].map((each) => [JSON.stringify(each[1].changes), each])).values(),
  ];
  const isInYears = (ms: number) => ms >= Date.parse('2026-01-01') && ms < Date.parse('2028-01-01');

  test('include zones with four or more changes, about a third', () => {
    const counts = [...clocksOf.values()].map(
      ({ changes }) => changes.filter(({ atMs }) => isInYears(atMs)).length,
    );
    expect(ZONES.length).toBeGreaterThan(400);
    expect(counts.filter((count) => count >= 4).length).toBeGreaterThan(100);
  });

  test('have correct flush times around every change', () => {
    let checked = 0;
    for (const [zone, clocks] of partOf(DIFFERING)) {
      const firstShowing = firstShowings(clocks);
      for (const { atMs, offsetMs } of clocks.changes.filter((change) => isInYears(change.atMs))) {
        const shown = new Date(atMs + offsetMs);
        const minutes = shown.getUTCHours() * 60 + shown.getUTCMinutes();
        const around = [-90, -60, -30, -15, 0, 30, 60].map((ahead) => (minutes + ahead + 1440) % 1440);
        const digests = [
          ...byDefault,
          ...around.flatMap((minute) => [daily(minute), weekly(shown.getUTCDay(), minute)]),
          monthly('first', minutes),
          monthly('last', (minutes + 1410) % 1440),
        ];
        for (const digest of digests) {
          for (const ahead of BEFORE_AND_AFTER_MINUTES) {
            expectRight(zone, firstShowing, digest, atMs + ahead * MINUTE_MS);
            checked += 1;
          }
        }
      }
    }
    expect(checked).toBeGreaterThan(isFew ? 6000 : 24_000);
  });

  test('have correct flush times on other days', () => {
    let checked = 0;
    for (const [index, zone] of partOf([...ZONES.entries()])) {
      const firstShowing = firstShowings(clocksOf.get(zone) ?? readWallClocks(zone, START_MS, END_MS));
      for (let step = 0; step < 12; step++) {
        // Steps of 61 days and some odd minutes reach every season, weekday and time of day.
        const nowMs =
          Date.parse('2026-01-01') +
          step * 61 * DAY_MS +
          (((index * 12 + step) * 7919 * MINUTE_MS) % (61 * DAY_MS));
        const minute = (index * 37 + step * 113) % 1440;
        const digests = [
          hourly,
          daily(minute),
          weekly(step % 7, minute),
          monthly('first', minute),
          monthly('last', minute),
        ];
        for (const digest of digests) expectRight(zone, firstShowing, digest, nowMs);
        checked += digests.length;
      }
    }
    expect(checked).toBeGreaterThan(isFew ? 4000 : 16_000);
  });

  test('flush a digest once per local day across each change, without omitting or repeating a day', () => {
    for (const [zone, clocks] of DIFFERING) {
      for (const { atMs } of clocks.changes.filter((change) => isInYears(change.atMs))) {
        let nowMs = atMs - 2 * DAY_MS;
        const days = Array.from({ length: 5 }, () => {
          nowMs = nextFlushAt({ mode: 'daily', settings: { hour: '02:30' }, zone, nowMs });
          return Math.floor((nowMs + clocks.offsetAt(nowMs)) / DAY_MS);
        });
        expect([zone, days.map((day) => day - (days[0] ?? 0))]).toEqual([zone, [0, 1, 2, 3, 4]]);
      }
    }
  });
});
