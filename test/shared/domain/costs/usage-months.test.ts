import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  billingPeriodOf,
  monthOf,
  monthsOfRange,
  nextAnniversary,
} from '../../../../shared/domain/costs/usage-months.ts';

const DAY_MS = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const days = fc.integer({ min: Date.parse('2000-01-01') / DAY_MS, max: Date.parse('2060-01-01') / DAY_MS });

describe('the months of a range', () => {
  test.each([
    ['2026-01-15', '2026-01-15', ['2026-01']],
    ['2026-01-31', '2026-02-01', ['2026-01', '2026-02']],
    ['2025-11-30', '2026-02-01', ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['2024-02-29', '2024-02-29', ['2024-02']],
    ['0050-12-01', '0051-01-01', ['0050-12', '0051-01']],
  ])('%s to %s', (start, end, months) => {
    expect(monthsOfRange(start, end)).toEqual({ ok: true, months });
  });

  test('include all of its days, each once, in order', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 1000 }), (first, length) => {
        const all = Array.from({ length: length + 1 }, (_, index) =>
          dateOf((first + index) * DAY_MS).slice(0, 7),
        );
        expect(monthsOfRange(dateOf(first * DAY_MS), dateOf((first + length) * DAY_MS))).toEqual({
          ok: true,
          months: [...new Set(all)],
        });
      }),
    );
  });

  test('stop at 36', () => {
    const longest = monthsOfRange('2024-01-31', '2026-12-01');
    expect(longest.ok && longest.months.length).toBe(36);
    expect(monthsOfRange('2024-01-31', '2027-01-01')).toEqual({ ok: false, problem: 'too_long' });
    expect(monthsOfRange('0001-01-01', '9999-12-31')).toEqual({ ok: false, problem: 'too_long' });
  });

  test('require an end that is not before the start', () => {
    expect(monthsOfRange('2026-02-02', '2026-02-01')).toEqual({ ok: false, problem: 'reversed' });
    expect(monthsOfRange('2030-01-01', '2020-01-01')).toEqual({ ok: false, problem: 'reversed' });
  });

  test.each([
    '',
    '2026',
    '2026-01',
    '2026-1-01',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '26-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026/01/01',
    'abcd-ef-gh',
    '-2026-01-01',
    '-002026-01',
  ])('fail when a date is "%s"', (date) => {
    expect(monthsOfRange(date, '2026-12-31')).toEqual({ ok: false, problem: 'malformed' });
    expect(monthsOfRange('2020-01-01', date)).toEqual({ ok: false, problem: 'malformed' });
  });
});

test('an instant belongs to its month in UTC', () => {
  expect(monthOf(Date.parse('2026-01-31T23:59:59.999Z'))).toBe('2026-01');
  expect(monthOf(Date.parse('2026-02-01T00:00:00.000Z'))).toBe('2026-02');
});

describe('the billing period', () => {
  const periodAt = (anchor: string, now: string) => {
    const { startDate, endDate } = billingPeriodOf(anchor, Date.parse(now));
    return `${startDate} to ${endDate}`;
  };

  test.each([
    ['2025-03-10', '2026-05-09T23:59:59.999Z', '2026-04-10 to 2026-05-10'],
    ['2025-03-10', '2026-05-10T00:00:00.000Z', '2026-05-10 to 2026-06-10'],
    ['2025-12-31', '2026-02-15T00:00:00.000Z', '2026-01-31 to 2026-02-28'],
    ['2025-12-31', '2026-02-28T00:00:00.000Z', '2026-02-28 to 2026-03-31'],
    ['2025-12-31', '2026-04-30T12:00:00.000Z', '2026-04-30 to 2026-05-31'],
    ['2025-12-29', '2028-02-29T12:00:00.000Z', '2028-02-29 to 2028-03-29'],
    ['2025-12-05', '2026-12-31T12:00:00.000Z', '2026-12-05 to 2027-01-05'],
    ['2025-12-05', '2027-01-01T12:00:00.000Z', '2026-12-05 to 2027-01-05'],
  ])('anchored on %s, at %s, is %s', (anchor, now, period) => {
    expect(periodAt(anchor, now)).toBe(period);
    expect(nextAnniversary(anchor, Date.parse(now))).toBe(period.slice(-10));
  });

  test('contains now and follows the previous one without gap or overlap, on the anchor day or the last of the month', () => {
    fc.assert(
      fc.property(days, days, fc.integer({ min: 0, max: DAY_MS - 1 }), (anchorDay, day, ms) => {
        const anchor = dateOf(anchorDay * DAY_MS);
        const nowMs = day * DAY_MS + ms;
        const { startDate, endDate } = billingPeriodOf(anchor, nowMs);
        expect(Date.parse(startDate)).toBeLessThanOrEqual(nowMs);
        expect(Date.parse(endDate)).toBeGreaterThan(nowMs);
        expect(billingPeriodOf(anchor, Date.parse(endDate)).startDate).toBe(endDate);
        expect(billingPeriodOf(anchor, Date.parse(endDate) - 1).startDate).toBe(startDate);
        const isLastOfMonth = dateOf(Date.parse(endDate) + DAY_MS).endsWith('-01');
        expect(
          endDate.slice(8) === anchor.slice(8) || (isLastOfMonth && endDate.slice(8) < anchor.slice(8)),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('throws a RangeError for an anchor that is not a date', () => {
    expect(() => billingPeriodOf('2026-02-30', 0)).toThrow(RangeError);
    expect(() => nextAnniversary('', 0)).toThrow(RangeError);
  });
});
