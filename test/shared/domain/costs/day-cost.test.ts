import { describe, expect, it } from 'vitest';
import { costOfDay, limitOfDay, overspending } from '../../../../shared/domain/costs/day-cost.ts';

const RULE = { factor: 10, floorUsd: 100 };
const of = (accountId: string, usd: number, usualUsd: number) => ({ accountId, usd, usualUsd });

describe('the cost of a day', () => {
  it('adds prices that were reported, prices that are expected, and messages', () => {
    const counts = { EMAIL: 1_000_000, INAPP_WEB: 100_000, SMS: 10, 'SMS held': 2_000_000, 'CALL held': -5 };
    expect(costOfDay({ counts, costMicros: 3_000_000 })).toBeCloseTo(110 + 1 + 0.0001 + 2 + 3, 2);
  });
});

describe('the limit of a day', () => {
  it.each([
    [0, 100],
    [5, 100],
    [50, 500],
  ])('after a usual cost of %d is %d', (usual, limit) => {
    expect(limitOfDay(usual, RULE)).toBe(limit);
  });

  it.each([
    ['an account over its floor', [of('a', 101, 0), of('b', 99, 0)], ['a']],
    ['an account over ten times its usual', [of('a', 501, 50), of('b', 499, 50)], ['a']],
    ['an account alone, if the others are within the limit', [of('a', 900, 0), of('b', 99, 0)], ['a']],
    ['nobody at their limits', Array.from({ length: 10 }, (_, index) => of(`n${index}`, 100, 0)), []],
    [
      'nobody within a limit that raised floors raise',
      [
        { ...of('a', 900, 0), floorUsd: 900 },
        { ...of('b', 900, 0), floorUsd: 900 },
      ],
      [],
    ],
    ['nobody within their limits', [of('a', 90, 0), of('b', 400, 50)], []],
    [
      'those who exceed their usual most, once the deployment exceeds its limit',
      [of('big', 91, 9), ...Array.from({ length: 12 }, (_, index) => of(`n${index}`, 80 + index, 0))],
      // 12 x 85.5 + 91 is 1,117 and over 1,000; without the two largest it is 936.
      ['n11', 'n10'],
    ],
  ])('stops %s', (_, spenders, stopped) => {
    expect(overspending(spenders, RULE)).toEqual(stopped);
  });

  it('is none with a factor of 0', () => {
    expect(overspending([of('a', 1e6, 0)], { factor: 0, floorUsd: 100 })).toEqual([]);
  });
});
