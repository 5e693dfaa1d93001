import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nextQuietAtMs,
  quietAt,
  quietUntilMs,
  windowsFor,
} from '../../../../shared/domain/timing/quiet-hours.ts';
import { instantOf, wallClockAt } from '../../../../shared/domain/timing/timezone.ts';
import type { QuietHours } from '../../../../shared/schemas/users/quiet-hours.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
const START_MS = Date.UTC(2026, 0, 1);

const two = (value: number) => String(value).padStart(2, '0');
const aTime = fc.integer({ min: 0, max: 1439 });
const textOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
const aWindow = fc
  .tuple(aTime, aTime)
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from, to, quietHours: { from: textOf(from), to: textOf(to) } }));
const aMoment = fc
  .integer({ min: 0, max: 2 * 365 * 24 * 60 })
  .map((minutes) => START_MS + minutes * MINUTE_MS);

const inZone = (hours: QuietHours, zone: string) => ({ windows: [{ hours, zones: [zone] }] });

it('ends every window at `to` in local time, in every zone, even on days of clock changes', () => {
  fc.assert(
    fc.property(aWindow, fc.constantFrom(...ZONES), aMoment, ({ to, quietHours }, zone, ms) => {
      const endsAtMs = quietUntilMs(quietHours, zone, ms);
      if (endsAtMs === undefined) return;
      expect(endsAtMs).toBeGreaterThan(ms);
      expect(quietUntilMs(quietHours, zone, endsAtMs)).toBeUndefined();
      const dayMs = Math.floor(wallClockAt(endsAtMs, zone) / DAY_MS) * DAY_MS;
      const candidates = [dayMs - DAY_MS, dayMs].map((each) => instantOf(each + to * MINUTE_MS, zone));
      expect(candidates).toContain(endsAtMs);
    }),
  );
});

it('applies exactly when local time is within the window, away from clock changes', () => {
  fc.assert(
    fc.property(aWindow, aMoment, ({ from, to, quietHours }, ms) => {
      const minutes = Math.floor((ms % DAY_MS) / MINUTE_MS);
      const isWithin = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
      expect(quietUntilMs(quietHours, 'UTC', ms) !== undefined).toBe(isWithin);
      const input = { ...inZone({ ...quietHours, channels: ['EMAIL'] }, 'UTC'), userId: 'ada', nowMs: ms };
      const quiet = (['EMAIL', 'SMS'] as const).map((channel) =>
        quietAt({ ...input, pausedUntilMs: 0 }, channel),
      );
      expect(quiet.map((each) => each?.kind)).toEqual([isWithin ? 'held' : undefined, undefined]);
    }),
  );
});

it('holds until neither a window nor the pause remains, at most 15 minutes longer', () => {
  fc.assert(
    fc.property(
      aWindow,
      fc.constantFrom(...ZONES),
      aMoment,
      fc.integer({ min: 0, max: 4000 }),
      ({ quietHours }, zone, nowMs, minutes) => {
        const pausedUntilMs = nowMs + minutes * MINUTE_MS;
        const input = { ...inZone(quietHours, zone), pausedUntilMs, userId: 'ada', nowMs };
        const quiet = quietAt(input, 'SMS');
        if (!quiet) {
          expect([minutes, quietUntilMs(quietHours, zone, nowMs)]).toEqual([0, undefined]);
        } else if (quiet.kind === 'held') {
          expect(quiet.untilMs).toBeGreaterThanOrEqual(Math.max(nowMs, pausedUntilMs));
          const longestMs = Math.max(pausedUntilMs, nowMs) + DAY_MS + 4 * 60 * MINUTE_MS;
          expect(quiet.untilMs).toBeLessThan(longestMs);
          expect(quietUntilMs(quietHours, zone, quiet.untilMs)).toBeUndefined();
          expect(quiet.isPaused).toBe(minutes > 0);
        }
        expect(quietAt(input, 'INAPP_WEB')).toBeUndefined();
      },
    ),
  );
});

it.each(['hold', 'drop'] as const)(
  'holds no message into a window that follows soon and would %s it',
  (mode) => {
    const soon = inZone({ from: '22:01', to: '07:00', mode }, 'UTC');
    const pausedUntilMs = Date.parse('2026-11-22T22:00:00Z');
    for (let user = 0; user < 50; user += 1) {
      const input = { ...soon, userId: `user-${user}`, nowMs: pausedUntilMs - MINUTE_MS, pausedUntilMs };
      const quiet = quietAt(input, 'SMS');
      expect(quiet?.kind === 'held' && quiet.untilMs - pausedUntilMs).toBeLessThan(MINUTE_MS / 2);
    }
  },
);

it('drops exactly within the window when that is its mode, and holds for a pause outside of it', () => {
  fc.assert(
    fc.property(aWindow, fc.constantFrom(...ZONES), aMoment, ({ quietHours }, zone, nowMs) => {
      const dropping = { ...quietHours, mode: 'drop' as const };
      const input = { ...inZone(dropping, zone), pausedUntilMs: undefined, userId: 'ada', nowMs };
      const isWithin = quietUntilMs(quietHours, zone, nowMs) !== undefined;
      expect(quietAt(input, 'SMS')).toEqual(isWithin ? { kind: 'dropped' } : undefined);
      const paused = quietAt({ ...input, pausedUntilMs: nowMs + 1 }, 'SMS');
      expect(paused?.kind).toBe(isWithin ? 'dropped' : 'held');
    }),
  );
});

describe('a whole quiet day', () => {
  const at = (time: string, quietHours: QuietHours) =>
    quietUntilMs(quietHours, 'Europe/Berlin', Date.parse(time));

  it.each([
    ['00:00', '24:00'],
    ['00:00', '00:00'],
    ['12 am', '0'],
  ])('is %s to %s', (from, to) => {
    const sunday = { from, to, days: ['sunday'] };
    // A Sunday in November 2026.
    expect(at('2026-11-22T10:00:00Z', sunday)).toBe(Date.parse('2026-11-22T23:00:00Z'));
    expect(at('2026-11-23T10:00:00Z', sunday)).toBeUndefined();
    // The Sunday when the clocks go back has 25 hours.
    expect(at('2026-10-25T10:00:00Z', sunday)).toBe(Date.parse('2026-10-25T23:00:00Z'));
  });

  it('that recurs every day holds for about a week, then is evaluated again', () => {
    const nowMs = Date.parse('2026-11-22T10:00:00Z');
    const input = {
      ...inZone({ from: '22:00', to: '22:00' }, 'UTC'),
      pausedUntilMs: undefined,
      userId: 'u',
    };
    const quiet = quietAt({ ...input, nowMs }, 'EMAIL');
    expect(quiet).toMatchObject({ kind: 'held' });
    expect(quiet?.kind === 'held' && quiet.untilMs - nowMs).toBeGreaterThan(7 * 86_400_000);
    expect(quiet?.kind === 'held' && quiet.untilMs - nowMs).toBeLessThan(9 * 86_400_000);
  });
});

describe('the next quiet hours', () => {
  const night = { from: '22:00', to: '07:00' };
  // A Sunday.
  const next = (at: string, hours: QuietHours, ...zones: string[]) =>
    new Date(
      nextQuietAtMs({ windows: [{ hours, zones }], nowMs: Date.parse(`2026-11-22T${at}Z`) }, 'SMS') ?? 0,
    ).toISOString();

  it.each<[string, QuietHours, string[], string]>([
    ['12:00', night, ['UTC'], '2026-11-22T22:00:00.000Z'],
    ['22:00', night, ['UTC'], '2026-11-23T22:00:00.000Z'],
    ['21:59:59.999', night, ['UTC'], '2026-11-22T22:00:00.000Z'],
    ['12:00', { ...night, days: ['tuesday', 'wed'] }, ['UTC'], '2026-11-24T22:00:00.000Z'],
    ['22:00', { ...night, days: ['sunday'] }, ['UTC'], '2026-11-29T22:00:00.000Z'],
    ['12:00', night, ['UTC', 'Asia/Tokyo'], '2026-11-22T13:00:00.000Z'],
    ['12:00', { ...night, channels: ['EMAIL'] }, ['UTC'], '1970-01-01T00:00:00.000Z'],
  ])('from %s on, of %j in %j, begin at %s', (at, hours, zones, expected) => {
    expect(next(at, hours, ...zones)).toBe(expected);
  });

  it('begin never in-app', () => {
    expect(nextQuietAtMs({ ...inZone(night, 'UTC'), nowMs: START_MS }, 'INAPP_WEB')).toBeUndefined();
  });
});

describe('the windows of a user', () => {
  const of = (from: string, floor?: boolean) => ({ from, to: '23:00', ...(floor ? { floor } : {}) });
  const [own, type, account, lowest] = [of('1'), of('2'), of('3'), of('4', true)];

  it.each<[string, QuietHours | undefined, object, QuietHours[]]>([
    ['their own', own, { type, account }, [own]],
    ["the type's without their own", undefined, { type: [type], account }, [type]],
    ["the account's without either", undefined, { type: [], account }, [account]],
    ['every floor in addition', own, { type: lowest, account: [account, lowest] }, [own, lowest, lowest]],
    [
      'other windows of a list with a floor',
      undefined,
      { type: lowest, account: [account] },
      [account, lowest],
    ],
    ['the floors alone if it is urgent', own, { type, account: lowest, isUrgent: true }, [lowest]],
    ['none', undefined, {}, []],
  ])('are %s', (_, user, others, windows) => {
    expect(windowsFor(user, { isUrgent: false, ...others })).toEqual(windows);
  });
});
