import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evaluateSlices,
  isInWindow,
  type SlicedState,
  shardMax,
} from '../../../../shared/domain/timing/throttle-slices.ts';
import {
  evaluateThrottle,
  hasPlace,
  type ThrottleState,
  throttleShards,
} from '../../../../shared/domain/timing/throttling.ts';
import type { Throttling } from '../../../../shared/schemas/content/notification-type.ts';

type Limit = Omit<Throttling, 'scope'>;

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const;
const startMs = Date.parse('2026-01-15T12:00:00Z');
const limit = (overrides: Partial<Limit> = {}): Limit => ({
  max: 2,
  period: 1,
  unit: 'minutes',
  forever: false,
  ...overrides,
});

/** Evaluates each time in turn and returns those accepted, with the last state. */
function run(config: Limit, times: readonly number[]): { accepted: number[]; state?: ThrottleState } {
  let state: ThrottleState | undefined;
  const accepted: number[] = [];
  for (const time of times) {
    const evaluated = evaluateThrottle(state, config, time);
    if (evaluated.allowed) accepted.push(time);
    state = evaluated.state;
  }
  return state ? { accepted, state } : { accepted };
}

/** Returns true if `time` is outside the window ending at `nowMs`: by text for months, since "02-31" sorts after February. */
function isOut(time: number, nowMs: number, { period, unit }: Limit): boolean {
  if (unit !== 'months' && unit !== 'years') {
    return time <= nowMs - period * { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5 }[unit];
  }
  const [year = '', month = '', ...rest] = new Date(nowMs).toISOString().split('-');
  const months = Number(year) * 12 + Number(month) - 1 - period * (unit === 'years' ? 12 : 1);
  const shifted = [Math.floor(months / 12), String((months % 12) + 1).padStart(2, '0'), ...rest].join('-');
  return new Date(time).toISOString() <= shifted;
}

/** The times that a throttle with complete memory accepts. */
function expectedAccepted(config: Limit, times: readonly number[]): number[] {
  const accepted: number[] = [];
  for (const time of times) {
    const counted = config.forever ? accepted : accepted.filter((earlier) => !isOut(earlier, time, config));
    if (counted.length < config.max) accepted.push(time);
  }
  return accepted;
}

const config = fc.record({
  max: fc.integer({ min: 0, max: 6 }),
  period: fc.integer({ min: 1, max: 4 }),
  unit: fc.constantFrom(...UNITS),
  forever: fc.boolean(),
});

describe('a limit in slices', () => {
  const spread = { seconds: 3e3, minutes: 18e4, hours: 1e7, days: 26e7, months: 4e9, years: 4e10 };

  test('never accepts more than its part in any window, and has room a slice after the window', () => {
    const times = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(config, times, (limits, gaps) => {
        let nowMs = startMs;
        let state: SlicedState = [];
        const accepted: number[] = [];
        for (const gap of gaps) {
          nowMs += Math.floor(gap ** 4 * spread[limits.unit]);
          const evaluated = evaluateSlices(state, limits, nowMs);
          const counted = limits.forever
            ? accepted
            : accepted.filter((time) => !isOut(time, nowMs - evaluated.sliceMs, limits));
          state = state.filter(([fromMs]) => !evaluated.past.includes(fromMs));
          if (evaluated.free > 0) {
            const slice = state.find(([fromMs]) => fromMs === evaluated.fromMs);
            if (slice) slice[1] += 1;
            else state.push([evaluated.fromMs, 1]);
            accepted.push(nowMs);
          } else {
            expect(counted.length).toBeGreaterThanOrEqual(limits.max);
            const isExact = !limits.forever && limits.unit !== 'months' && limits.unit !== 'years';
            const freeAt = (ms: number) => Math.max(0, evaluateSlices(state, limits, ms).free);
            const { fullUntilMs } = evaluated;
            if (isExact && limits.max > 0)
              expect([freeAt(fullUntilMs - 1), freeAt(fullUntilMs) > 0]).toEqual([0, true]);
          }
          const inWindow = limits.forever ? accepted : accepted.filter((time) => !isOut(time, nowMs, limits));
          expect(inWindow.length).toBeLessThanOrEqual(limits.max);
          expect(state.filter(([fromMs]) => isOut(fromMs + evaluated.sliceMs, nowMs, limits))).toEqual([]);
          if (evaluated.expiresAtMs !== undefined)
            expect(evaluateSlices(state, limits, evaluated.expiresAtMs).free).toBe(limits.max);
        }
      }),
    );
  });

  test.each([
    [1, 'seconds', 20],
    [1, 'minutes', 1200],
    [1, 'months', 53_568_000],
    [2, 'years', 1_285_632_000],
  ] as const)('of %d %s has slices of %d ms', (period, unit, sliceMs) => {
    expect(evaluateSlices([], limit({ period, unit }), startMs).sliceMs).toBe(sliceMs);
  });

  test('counts at the last slice when a clock is slow', () => {
    const fromMs = evaluateSlices([], limit(), startMs).fromMs;
    const state: SlicedState = [
      [fromMs - 12_000, 1],
      [fromMs, 1],
    ];
    expect(evaluateSlices(state, limit(), startMs - 120_000)).toMatchObject({ fromMs, free: 0 });
  });

  test('is shared by as many shards as it has room for, whose parts are the whole', () => {
    const shardsOf = (max: number) => throttleShards({ max, scope: ['notificationId', 'notificationId'] });
    expect([0, 1, 10, 19, 20, 100, 640, 1e6].map(shardsOf)).toEqual([1, 1, 1, 1, 2, 10, 16, 16]);
    expect(throttleShards({ max: 1e6, scope: ['userId', 'notificationId'] })).toBe(1);
    for (const max of [20, 107, 1000]) {
      const shards = shardsOf(max);
      const parts = Array.from({ length: shards }, (_, shard) => shardMax(max, shard, shards));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(max);
    }
  });
});

describe('the rolling window', () => {
  test('accepts what a throttle with complete history accepts, for any limit and times', () => {
    const spread = { seconds: 3e3, minutes: 18e4, hours: 1e7, days: 26e7, months: 4e9, years: 4e10 };
    fc.assert(
      fc.property(
        config,
        fc.integer({ min: 0, max: 150 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }),
        (drawn, startDay, steps) => {
          let time = startMs + startDay * 864e5;
          const times = steps.map((step) => {
            time += Math.floor((step * spread[drawn.unit] * drawn.period) / 4);
            return time;
          });
          expect(run(drawn, times).accepted).toEqual(expectedAccepted(drawn, times));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('never has more than max accepted, in any window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 80 }),
        (max, steps) => {
          let time = startMs;
          const times = steps.map((step) => (time += step));
          const { accepted } = run(limit({ max }), times);
          for (const from of accepted) {
            const within = accepted.filter((other) => other >= from && other < from + 60_000);
            expect(within.length).toBeLessThanOrEqual(max);
          }
        },
      ),
    );
  });

  test('accepts the next exactly when the oldest leaves', () => {
    const times = [0, 1000, 59_999, 60_000, 60_001, 61_000].map((ms) => startMs + ms);
    expect(run(limit(), times).accepted.map((time) => time - startMs)).toEqual([0, 1000, 60_000, 61_000]);
  });

  test('does not count rejected ones', () => {
    const times = Array.from({ length: 120 }, (_, second) => startMs + second * 1000);
    expect(run(limit({ max: 1 }), times).accepted).toEqual([startMs, startMs + 60_000]);
  });

  test('accepts max of many at the same time', () => {
    expect(run(limit({ max: 5 }), Array(50).fill(startMs)).accepted.length).toBe(5);
  });

  test('accepts no more when a clock is slow', () => {
    const { accepted } = run(limit(), [startMs, startMs - 50_000, startMs - 30_000, startMs + 59_999]);
    expect(accepted).toEqual([startMs, startMs - 50_000]);
  });

  test('accepts nothing when it is zero, with or without an end', () => {
    expect(run(limit({ max: 0 }), [startMs, startMs + 1e9]).accepted).toEqual([]);
    expect(run(limit({ max: 0, forever: true }), [startMs]).accepted).toEqual([]);
  });

  test('counts what was accepted under a lower limit when the limit is raised', () => {
    const { state } = run(limit({ max: 2 }), [startMs, startMs + 1]);
    const raised = evaluateThrottle(state, limit({ max: 3 }), startMs + 2);
    expect(raised.allowed).toBe(true);
    expect(evaluateThrottle(raised.state, limit({ max: 3 }), startMs + 3).allowed).toBe(false);
  });

  test('waits until fewer remain when the limit is lowered', () => {
    const { state } = run(limit({ max: 3 }), [startMs, startMs + 1000, startMs + 2000]);
    expect(evaluateThrottle(state, limit({ max: 2 }), startMs + 60_000).allowed).toBe(false);
    expect(evaluateThrottle(state, limit({ max: 2 }), startMs + 61_000).allowed).toBe(true);
  });
});

describe('windows of months and years', () => {
  const both = (from: string, to: string, overrides: Partial<Limit>) =>
    run(limit({ max: 1, ...overrides }), [Date.parse(from), Date.parse(to)]).accepted.length === 2;

  test.each([
    ['2026-01-15T12:00:00.000Z', '2026-02-15T11:59:59.999Z', false],
    ['2026-01-15T12:00:00.000Z', '2026-02-15T12:00:00.000Z', true],
    ['2026-02-15T12:00:00.000Z', '2026-03-15T12:00:00.000Z', true],
    ['2026-01-31T12:00:00.000Z', '2026-02-28T23:59:59.999Z', false],
    ['2026-01-31T12:00:00.000Z', '2026-03-01T00:00:00.000Z', true],
    ['2026-02-28T12:00:00.000Z', '2026-03-28T12:00:00.000Z', true],
    ['2026-02-28T13:00:00.000Z', '2026-03-28T12:00:00.000Z', false],
    ['2026-02-28T12:00:00.000Z', '2026-03-30T12:00:00.000Z', true],
    ['2026-03-01T00:00:00.000Z', '2026-03-30T12:00:00.000Z', false],
    ['2026-03-01T06:00:00.000Z', '2026-03-31T23:59:59.999Z', false],
    ['2026-03-01T06:00:00.000Z', '2026-04-01T06:00:00.000Z', true],
  ])('last a month from %s to %s: %s', (from, to, isOver) => {
    expect(both(from, to, { unit: 'months' })).toBe(isOver);
  });

  test.each([
    ['2024-02-29T12:00:00.000Z', '2025-02-28T23:59:59.999Z', false],
    ['2024-02-29T12:00:00.000Z', '2025-03-01T00:00:00.000Z', true],
    ['2025-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', true],
  ])('last a year from %s to %s: %s', (from, to, isOver) => {
    expect(both(from, to, { unit: 'years' })).toBe(isOver);
  });

  test('never end when they are longer than the calendar', () => {
    expect(both('2026-01-01', '2200-01-01', { unit: 'years', period: 1e9 })).toBe(false);
  });
});

describe('throttling without an end', () => {
  test('counts at any time and stores nothing else', () => {
    const { accepted, state } = run(limit({ max: 3, forever: true }), [1, 5, 1e12, 2e12, 3e12]);
    expect(accepted.length).toBe(3);
    expect(state).toEqual({ total: 3, recent: '' });
  });

  test('counts what a window accepted before', () => {
    const { state } = run(limit({ max: 2 }), [startMs, startMs + 60_000, startMs + 120_000]);
    expect(evaluateThrottle(state, limit({ max: 3, forever: true }), startMs + 180_000).allowed).toBe(false);
    expect(evaluateThrottle(state, limit({ max: 4, forever: true }), startMs + 180_000).allowed).toBe(true);
  });
});

describe('the throttle state', () => {
  test.each([
    ['milliseconds apart', 1, 14_000],
    ['over a day', 8_640, 28_000],
    ['over ten years', 31_536_000, 54_000],
    ['over eighty-five years', 268_435_456, 67_000],
  ])('stays exact up to a max of 10,000, %s', (_, stepMs, sizeMax) => {
    const config = limit({ max: 10_000, period: 100, unit: 'years' });
    const times = Array.from({ length: 9_999 }, (_, index) => startMs - (9_999 - index) * stepMs);
    const filled = filledWith(times);
    const last = evaluateThrottle(filled, config, startMs);
    expect(last.allowed).toBe(true);
    expect(evaluateThrottle(undefined, config, startMs).state).toEqual(filledWith([startMs]));
    expect(last.state.recent.length).toBeLessThan(sizeMax);
    expect(evaluateThrottle(last.state, config, startMs + 1).allowed).toBe(false);
    const oldest = times[0] ?? Number.NaN;
    const leavesMs = evaluateThrottle(filledWith([oldest]), config, oldest).expiresAtMs ?? Number.NaN;
    expect(evaluateThrottle(last.state, config, leavesMs - 2).allowed).toBe(false);
    expect(evaluateThrottle(last.state, config, leavesMs).allowed).toBe(true);
  });

  /** The state after all `times` (not before 1970) were accepted, built directly: evaluating each is slow. */
  function filledWith(times: readonly number[]): ThrottleState {
    const bytes: number[] = [];
    times.forEach((time, index) => {
      let rest = BigInt(time - (times[index - 1] ?? 0));
      for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
      bytes.push(Number(rest));
    });
    return { total: times.length, recent: Buffer.from(bytes).toString('base64url') };
  }

  test('never has more times than max, and drops those outside the window', () => {
    const times = Array.from({ length: 500 }, (_, index) => startMs + index * 40_000);
    const { state } = run(limit({ max: 3 }), times);
    expect(state?.total).toBe(500);
    expect(Buffer.from(state?.recent ?? '', 'base64url').length).toBeLessThan(12);
  });

  test('can be deleted once it has expired without changing a decision', () => {
    fc.assert(
      fc.property(config, fc.integer({ min: 0, max: 4e10 }), (drawn, aheadMs) => {
        const windowed = { ...drawn, forever: false, max: drawn.max + 1 };
        const { state, expiresAtMs } = evaluateThrottle(undefined, windowed, startMs + aheadMs);
        expect(expiresAtMs).toBeGreaterThan(startMs + aheadMs);
        const later = evaluateThrottle(state, { ...windowed, max: 1 }, expiresAtMs ?? 0);
        expect(later.allowed).toBe(true);
      }),
    );
  });

  test('never expires without an end of the window', () => {
    expect(evaluateThrottle(undefined, limit({ forever: true }), startMs).expiresAtMs).toBeUndefined();
  });

  test('stays unchanged after a rejection', () => {
    const { state } = run(limit({ max: 1 }), [startMs]);
    const expiresAtMs = startMs + 60_000;
    const rejected = { allowed: false, state, expiresAtMs };
    expect(evaluateThrottle(state, limit({ max: 1 }), startMs + 1)).toEqual(rejected);
  });
});

describe('what was counted before', () => {
  const { state } = run(limit(), [startMs, startMs + 20_000]);
  test.each([
    [[startMs + 20_000], 79_999, true],
    [[startMs + 20_000], 80_000, false],
    [[startMs, startMs + 20_000], 60_000, true],
    [[startMs], 60_000, false],
    [[startMs + 1], 40_000, false],
    [[], 0, false],
  ])('at %j has its place after %d ms: %s', (times, afterMs, expected) => {
    expect(hasPlace(state, limit(), times, startMs + afterMs)).toBe(expected);
    expect(hasPlace(state, limit({ forever: true }), times, startMs + afterMs)).toBe(times.length > 0);
    expect(hasPlace(undefined, limit({ forever: true }), times, startMs + afterMs)).toBe(false);
    const isCounted = times.some((time) => time > startMs + afterMs - 60_000);
    expect(isInWindow(times, limit(), startMs + afterMs)).toBe(isCounted);
    expect(isInWindow(times, limit({ forever: true }), startMs + afterMs)).toBe(times.length > 0);
  });
});
