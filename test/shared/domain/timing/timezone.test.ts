import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstTimezone,
  instantOf,
  outerZones,
  wallClockAt,
} from '../../../../shared/domain/timing/timezone.ts';
import { isTimezone } from '../../../../shared/schemas/users/timezone.ts';
import { isFew, partOf } from '../../../support/cases.ts';
import { offsetReader, readWallClocks, ZONES } from '../wall-clocks.ts';

const HOUR_MS = 3_600_000;
const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();
const zones = fc.constantFrom(...ZONES);

describe('timezone names', () => {
  test('include every zone of the runtime', () => {
    expect(ZONES.filter((zone) => !isTimezone(zone))).toEqual([]);
  });

  test.each([
    'UTC',
    'GMT',
    'Etc/GMT+5',
    'US/Pacific',
    'europe/paris',
    'Europe/Kyiv',
    'Europe/Kiev',
    'EST5EDT',
    ...['EST', 'GB', 'PRC', 'Zulu', 'W-SU', 'NZ-CHAT', 'GMT0'],
  ])('include %s', (name) => expect(isTimezone(name)).toBe(true));

  test.each([
    '',
    ' ',
    '+01:00',
    '-0530',
    '+01',
    'GMT+1',
    'Z',
    'local',
    'Europe',
    'Europe/Atlantis',
    'Europe/Paris ',
    ...['BST', 'AST', 'NST', 'IST', 'PST', 'CST', 'JST', 'ECT', 'SystemV/AST4', 'Etc/Unknown'],
  ])('exclude "%s"', (name) => expect(isTimezone(name)).toBe(false));

  test('exclude an offset even after local times of that offset were read', () => {
    expect(wallClockAt(0, '+01:00')).toBe(HOUR_MS);
    expect(isTimezone('+01:00')).toBe(false);
  });

  test('choose the first valid name, else UTC', () => {
    expect(firstTimezone([undefined, 'Mars/Olympus', 'Asia/Tokyo', 'Europe/Paris'])).toBe('Asia/Tokyo');
    expect(firstTimezone([undefined, 'Mars/Olympus'])).toBe('UTC');
  });

  test.each([
    [['US'], '2026-07-01T12:00:00Z', [-10, -4]],
    [['US'], '2026-12-01T12:00:00Z', [-10, -5]],
    [['JP', 'DE'], '2026-07-01T12:00:00Z', [2, 9]],
    [['JP'], '2026-07-01T12:00:00Z', [9]],
    [[], '2026-07-01T12:00:00Z', []],
  ])('of %j at %s begin and end %j hours from UTC', (countries, time, hours) => {
    const offsets = outerZones(countries, at(time)).map((zone) => wallClockAt(at(time), zone) - at(time));
    expect(offsets).toEqual(hours.map((each) => each * HOUR_MS));
  });

  test('throw a RangeError for an unknown zone', () => {
    expect(() => wallClockAt(0, 'Mars/Olympus')).toThrow(RangeError);
    expect(() => instantOf(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('local time', () => {
  test('matches the parts that Intl formats, in every zone, from 1900 to 2100', () => {
    for (const zone of ZONES) {
      const read = offsetReader(zone);
      const seconds = fc.integer({ min: at('1900-01-01') / 1000, max: at('2100-01-01') / 1000 });
      for (const second of fc.sample(seconds, { numRuns: 10, seed: zone.length })) {
        expect([zone, wallClockAt(second * 1000, zone)]).toEqual([zone, second * 1000 + read(second * 1000)]);
      }
    }
  });

  test('keeps milliseconds, even before 1970 and in ancient years', () => {
    expect(iso(wallClockAt(at('2026-07-01T12:00:00.123Z'), 'Asia/Kolkata'))).toBe('2026-07-01T17:30:00.123Z');
    expect(iso(wallClockAt(at('1969-12-31T23:59:59.999Z'), 'Africa/Lagos'))).toBe('1970-01-01T00:59:59.999Z');
    expect(iso(wallClockAt(at('0001-01-01T00:00:00.000Z'), 'UTC'))).toBe('0001-01-01T00:00:00.000Z');
  });
});

describe('the instant of a local time', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01T09:00:00.000Z', '2026-07-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T01:59:59.999Z', '2026-03-29T00:59:59.999Z'],
    ['Europe/Berlin', '2026-03-29T02:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00.000Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:00:00.000Z', '2026-10-25T02:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:10:00.000Z', '2026-10-03T15:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00.000Z', '2026-04-04T14:45:00.000Z'],
    ['Antarctica/Troll', '2026-03-29T02:30:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31T00:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ])('becomes in %s for %s: %s', (zone, wallClock, instant) => {
    expect(iso(instantOf(at(wallClock), zone))).toBe(instant);
  });

  test('equals the first instant that shows or skips it, in every zone, around every change of 2026 and 2027', () => {
    let checked = 0;
    const wrong: string[] = [];
    for (const zone of partOf(ZONES)) {
      const clocks = readWallClocks(zone, at('2025-12-25'), at('2028-01-10'));
      for (const { atMs, offsetMs } of clocks.changes) {
        for (let minutes = -150; minutes <= 150; minutes += 15) {
          const wallClockMs = atMs + offsetMs + minutes * 60_000;
          const [instantMs, firstMs] = [instantOf(wallClockMs, zone), clocks.firstShowing(wallClockMs)];
          if (instantMs !== firstMs) wrong.push(`${zone}: ${iso(instantMs)}, not ${iso(firstMs)}`);
          checked += 1;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(isFew ? 1000 : 4000);
  });

  test('reads back as the requested time, or the end of its gap', () => {
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: at('1980-01-01'), max: at('2060-01-01') }),
        (zone, wallClockMs) => {
          const instant = instantOf(wallClockMs, zone);
          const shown = wallClockAt(instant, zone);
          expect(shown).toBeGreaterThanOrEqual(wallClockMs);
          if (shown > wallClockMs) expect(wallClockAt(instant - 1, zone)).toBeLessThan(wallClockMs);
        },
      ),
      { numRuns: 500, examples: [['Europe/Berlin', at('2026-03-29T02:30:00.000Z')]] },
    );
  });

  test('never comes after the instant at which the local time was read', () => {
    fc.assert(
      fc.property(zones, fc.integer({ min: at('1980-01-01'), max: at('2060-01-01') }), (zone, ms) => {
        const first = instantOf(wallClockAt(ms, zone), zone);
        expect(first).toBeLessThanOrEqual(ms);
        expect(wallClockAt(first, zone)).toBe(wallClockAt(ms, zone));
      }),
      { numRuns: 500 },
    );
  });
});
