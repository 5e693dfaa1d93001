import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isScheduleText, parseSchedule } from '../../../../shared/domain/timing/schedule.ts';
import { ZONES } from '../wall-clocks.ts';

const nowMs = Date.parse('2026-03-01T00:00:00Z');
const dueAt = (text: string, zone?: string) => {
  const parsed = parseSchedule(text, { zone, nowMs });
  return parsed.ok ? new Date(parsed.dueAtMs).toISOString() : undefined;
};

describe('a schedule with Z or an offset', () => {
  test.each([
    ['2026-03-29T09:30:15Z', '2026-03-29T09:30:15.000Z'],
    ['2026-03-29T09:30Z', '2026-03-29T09:30:00.000Z'],
    ['2026-03-29 09:30z', '2026-03-29T09:30:00.000Z'],
    ['2026-03-29t09:30:00z', '2026-03-29T09:30:00.000Z'],
    ['2026-03-29T09:30:15.5Z', '2026-03-29T09:30:15.500Z'],
    ['2026-03-29T09:30:15,25Z', '2026-03-29T09:30:15.250Z'],
    ['2026-03-29T09:30:15.123999Z', '2026-03-29T09:30:15.123Z'],
    ['2026-03-29T09:30:00+02:00', '2026-03-29T07:30:00.000Z'],
    ['2026-03-29T09:30:00+0200', '2026-03-29T07:30:00.000Z'],
    ['2026-03-29T09:30+02', '2026-03-29T07:30:00.000Z'],
    ['2026-03-29T23:30-05:45', '2026-03-30T05:15:00.000Z'],
    ['2026-03-29T09:30-00:00', '2026-03-29T09:30:00.000Z'],
    ['2028-02-29T00:00Z', undefined],
  ])('%s is due at %s', (text, expected) => {
    expect([dueAt(text, 'Asia/Tokyo'), isScheduleText(text)]).toEqual([expected, true]);
  });

  test('reads back from any instant that JSON writes, within a year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 * 86_400_000 }), (aheadMs) => {
        const text = new Date(nowMs + aheadMs).toISOString();
        expect(parseSchedule(text, { nowMs })).toEqual({
          ok: true,
          dueAtMs: nowMs + aheadMs,
          inPast: aheadMs === 0,
        });
      }),
    );
  });

  test('moves by its offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1439, max: 1439 }), fc.constantFrom(':', ''), (minutes, separator) => {
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const two = (value: number) => String(value).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(hours)}${separator}${two(rest)}`;
        const due = dueAt(`2026-06-15T12:00:00${offset}`);
        expect(due).toBe(new Date(Date.UTC(2026, 5, 15, 12, -minutes)).toISOString());
      }),
    );
  });
});

describe('a schedule without an offset', () => {
  test.each([
    ['2026-07-01T09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01 09:00:30.250', 'America/New_York', '2026-07-01T13:00:30.250Z'],
    ['2026-07-01T09:00', undefined, '2026-07-01T09:00:00.000Z'],
    ['2026-07-01T09:00', 'Mars/Olympus', '2026-07-01T09:00:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ])('%s in %s is due at %s', (text, zone, expected) => {
    expect(dueAt(text, zone)).toBe(expected);
  });

  test('shows the requested time on local clocks in every zone, at noon in summer', () => {
    for (const zone of ZONES) {
      const parsed = parseSchedule('2026-07-15T12:00:00', { zone, nowMs });
      const shown = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      expect([zone, parsed.ok && shown.format(parsed.dueAtMs)]).toEqual([zone, '2026-07-15 12:00:00']);
    }
  });
});

describe('an invalid schedule', () => {
  test.each([
    '',
    'now',
    'tomorrow',
    '1772323200',
    '2026-03-29',
    '2026-03-29T09',
    '09:30',
    '2026-3-29T09:30Z',
    '26-03-29T09:30Z',
    '2026-02-30T10:00Z',
    '2026-02-29T10:00Z',
    '2026-04-31T10:00Z',
    '2026-13-01T10:00Z',
    '2026-00-10T10:00Z',
    '2026-01-00T10:00Z',
    '2026-03-29T24:00Z',
    '2026-03-29T09:60Z',
    '2026-03-29T09:30:60Z',
    '2026-03-29T09:30:15.Z',
    '2026-03-29T09:30.5Z',
    '2026-03-29T09:30+24:00',
    '2026-03-29T09:30+02:60',
    '2026-03-29T09:30+2',
    '2026-03-29T09:30 Z',
    ' 2026-03-29T09:30Z',
    '2026-03-29T09:30Z\n',
    '2026-03-29  09:30Z',
    '2026-03-29T09:30ZZ',
    '2026-03-29T09:30 Europe/Berlin',
    '+002026-03-29T09:30Z',
    '２０２６-03-29T09:30Z',
    'Sun, 29 Mar 2026 09:30:00 GMT',
  ])('"%s"', (text) => {
    expect([parseSchedule(text, { nowMs }), isScheduleText(text)]).toEqual([{ ok: false }, false]);
  });

  test('never throws for any text, and every accepted date exists', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
    const shaped = fc
      .tuple(fc.constantFrom('2024', '2025', '2026'), two, two, two, two)
      .map(([year, month, day, hour, minute]) => `${year}-${month}-${day}T${hour}:${minute}Z`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), shaped), (text) => {
        const parsed = parseSchedule(text, { nowMs });
        if (parsed.ok) expect(new Date(parsed.dueAtMs).toISOString().slice(0, 16)).toBe(text.slice(0, 16));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the limit of a schedule', () => {
  test('lies a year ahead: a millisecond more fails', () => {
    expect(dueAt('2027-03-01T00:00:00.000Z')).toBe('2027-03-01T00:00:00.000Z');
    expect(dueAt('2027-03-01T00:00:00.001Z')).toBeUndefined();
    expect(dueAt('2027-03-01T01:00:00+01:00')).toBe('2027-03-01T00:00:00.000Z');
  });

  test.each([
    ['2027-03-01T12:00:00Z', '2028-03-01T12:00:00Z', '2028-03-01T12:00:01Z'],
    ['2028-02-29T12:00:00Z', '2029-03-01T12:00:00Z', '2029-03-01T12:00:01Z'],
  ])('covers a leap year too: from %s until %s', (now, last, later) => {
    const isAccepted = (text: string) => parseSchedule(text, { nowMs: Date.parse(now) }).ok;
    expect([isAccepted(last), isAccepted(later)]).toEqual([true, false]);
  });

  test('does not reject now and the past, even year 0', () => {
    const inPast = (text: string) => {
      const parsed = parseSchedule(text, { zone: 'Europe/Berlin', nowMs });
      return parsed.ok && parsed.inPast;
    };
    expect(inPast('2026-03-01T00:00:00Z')).toBe(true);
    expect(inPast('2026-03-01T00:00:00.001Z')).toBe(false);
    expect(inPast('1999-12-31T23:59')).toBe(true);
    expect(inPast('0000-01-01T00:00')).toBe(true);
  });
});
