import { describe, expect, test } from 'vitest';
import {
  digestSettingsOf,
  effectiveDelivery,
  mayBeOff,
  nextFlushAt,
  optionsOn,
} from '../../../../shared/domain/timing/delivery-options.ts';
import { parseDay, parseHour } from '../../../../shared/schemas/delivery/delivery-time.ts';

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();
const flush = (digest: Omit<Parameters<typeof nextFlushAt>[0], 'nowMs'> & { now: string }) =>
  iso(nextFlushAt({ ...digest, nowMs: at(digest.now) }));

describe('the delivery option', () => {
  const options = {
    defaultDeliveryOption: 'daily' as const,
    instant: { enabled: true },
    hourly: { enabled: false },
    daily: { enabled: true },
    off: { enabled: false },
  };

  test.each([
    ['instant', 'instant'],
    ['daily', 'daily'],
    ['hourly', 'daily'],
    ['weekly', 'daily'],
    ['off', 'daily'],
    [undefined, 'daily'],
  ] as const)('turns preference %s into %s', (preference, delivery) => {
    expect(effectiveDelivery({ options, preference })).toBe(delivery);
  });

  test.each([
    ['off', 'off'],
    ['instant', 'instant'],
    ['daily', 'instant'],
    [undefined, 'instant'],
  ] as const)('turns preference %s on a channel without options into %s', (preference, delivery) => {
    expect(effectiveDelivery({ options: undefined, preference })).toBe(delivery);
  });

  test('can be off or instant when the options do not name them', () => {
    const silent = { defaultDeliveryOption: 'weekly' as const };
    expect(effectiveDelivery({ options: silent, preference: 'off' })).toBe('off');
    expect(effectiveDelivery({ options: silent, preference: 'instant' })).toBe('instant');
    expect(effectiveDelivery({ options: silent, preference: 'monthly' })).toBe('weekly');
  });

  test.each([
    [undefined, undefined, true],
    [{}, undefined, true],
    [{ options: { EMAIL: options } }, options, false],
    [{ options: { SMS: options } }, undefined, true],
    [{ required: true }, { defaultDeliveryOption: 'instant', off: { enabled: false } }, false],
    [
      { required: true, options: { EMAIL: { ...options, off: { enabled: true } } } },
      { ...options, off: { enabled: false } },
      false,
    ],
    [
      { options: { EMAIL: { ...options, off: { enabled: true } } } },
      { ...options, off: { enabled: true } },
      true,
    ],
  ])('of the type %j on a channel is %j; off: %s', (type, expected, isOptional) => {
    expect(optionsOn(type, 'EMAIL')).toEqual(expected);
    expect(mayBeOff(type, 'EMAIL')).toBe(isOptional);
  });

  test('has the schedule of its mode', () => {
    const weekly = { enabled: true, day: 'wed' };
    expect(digestSettingsOf({ ...options, weekly }, 'weekly')).toBe(weekly);
    expect(digestSettingsOf(undefined, 'weekly')).toBeUndefined();
  });

  test('never becomes a digest in-app', () => {
    const inapp = { defaultDeliveryOption: 'instant' as const, instant: { enabled: true }, batching: true };
    expect(effectiveDelivery({ options: inapp, preference: 'daily' })).toBe('instant');
    expect(effectiveDelivery({ options: { ...inapp, defaultDeliveryOption: 'off' } })).toBe('off');
  });
});

describe('digest hours', () => {
  test.each([
    ['8', 480],
    ['08', 480],
    ['08:00', 480],
    ['8:00 am', 480],
    ['8:30AM', 510],
    ['8 pm', 1200],
    ['8 p.m.', 1200],
    ['12 am', 0],
    ['12:15 am', 15],
    ['12 pm', 720],
    ['12:59 PM', 779],
    ['00:00', 0],
    ['23:59', 1439],
    [' 9 ', 540],
    [8, 480],
    [0, 0],
  ])('read "%s" as minute %i of the day', (hour, minutes) => {
    expect(parseHour(hour)).toBe(minutes);
  });

  test.each([
    '',
    '24',
    '24:00',
    '8:60',
    '8:0',
    '13 pm',
    '0 am',
    '8 m',
    '8 a',
    '-1',
    '8.5',
    'noon',
    '8:00:00',
    '123',
    24,
    -1,
    8.5,
    Number.NaN,
    null,
    undefined,
    true,
  ])('reject %j', (hour) => {
    expect(parseHour(hour)).toBeUndefined();
  });
});

describe('digest days', () => {
  test.each([
    ['Sunday', 0],
    ['monday', 1],
    ['TUE', 2],
    ['Wednesday', 3],
    ['thu', 4],
    [' Fri ', 5],
    ['saturday', 6],
    ['0', 0],
    ['6', 6],
    [3, 3],
  ])('read "%s" as weekday %i', (day, number) => {
    expect(parseDay(day)).toBe(number);
  });

  test.each(['', '7', '-1', 'Mo', 'Mond', 'Lundi', 7, 1.5, null, undefined])('reject %j', (day) => {
    expect(parseDay(day)).toBeUndefined();
  });
});

describe('the next flush', () => {
  const zone = 'UTC';

  test('comes after now, never at it', () => {
    expect(flush({ mode: 'hourly', zone, now: '2026-05-05T10:00:00.000Z' })).toBe('2026-05-05T11:00:00.000Z');
    expect(flush({ mode: 'hourly', zone, now: '2026-05-05T09:59:59.999Z' })).toBe('2026-05-05T10:00:00.000Z');
    expect(flush({ mode: 'daily', zone, now: '2026-05-05T08:00:00.000Z' })).toBe('2026-05-06T08:00:00.000Z');
  });

  test('comes daily at 08:00, weekly on Monday at 09:00 and monthly on the first at 10:00 by default', () => {
    const now = '2026-05-06T12:00:00Z';
    expect(flush({ mode: 'daily', zone, now })).toBe('2026-05-07T08:00:00.000Z');
    expect(flush({ mode: 'weekly', zone, now })).toBe('2026-05-11T09:00:00.000Z');
    expect(flush({ mode: 'monthly', zone, now })).toBe('2026-06-01T10:00:00.000Z');
  });

  test('follows the settings, and ignores unreadable ones', () => {
    const now = '2026-05-06T12:00:00Z';
    expect(flush({ mode: 'daily', settings: { hour: '1:30 pm' }, zone, now })).toBe(
      '2026-05-06T13:30:00.000Z',
    );
    expect(flush({ mode: 'daily', settings: { hour: 'noon' }, zone, now })).toBe('2026-05-07T08:00:00.000Z');
    expect(flush({ mode: 'weekly', settings: { day: 'wed', hour: '13' }, zone, now })).toBe(
      '2026-05-06T13:00:00.000Z',
    );
    expect(flush({ mode: 'weekly', settings: { day: 'wed', hour: '11' }, zone, now })).toBe(
      '2026-05-13T11:00:00.000Z',
    );
    expect(flush({ mode: 'weekly', settings: { day: 'someday', hour: 25 }, zone, now })).toBe(
      '2026-05-11T09:00:00.000Z',
    );
  });

  test('follows the length of the month on its last day', () => {
    const last = (now: string) => flush({ mode: 'monthly', settings: { date: 'last' }, zone, now });
    expect(last('2026-01-31T10:00:00Z')).toBe('2026-02-28T10:00:00.000Z');
    expect(last('2028-02-01T10:00:00Z')).toBe('2028-02-29T10:00:00.000Z');
    expect(last('2026-12-31T11:00:00Z')).toBe('2027-01-31T10:00:00.000Z');
  });

  test.each([
    ['Asia/Kolkata', '2026-05-05T10:00:00Z', '2026-05-05T10:30:00.000Z'],
    ['Asia/Kathmandu', '2026-05-05T10:00:00Z', '2026-05-05T10:15:00.000Z'],
    ['Australia/Eucla', '2026-05-05T10:00:00Z', '2026-05-05T10:15:00.000Z'],
  ])('comes hourly at :00 local time in %s', (local, now, expected) => {
    expect(flush({ mode: 'hourly', zone: local, now })).toBe(expected);
  });

  test('comes for a daily digest at the end of a missing hour, and at the usual hour the day after', () => {
    const daily = (now: string) =>
      flush({ mode: 'daily', settings: { hour: '02:30' }, zone: 'Europe/Berlin', now });
    expect(daily('2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(daily('2026-03-29T01:00:00Z')).toBe('2026-03-30T00:30:00.000Z');
  });

  test('comes for a daily digest in the first of a repeated hour only', () => {
    const daily = (now: string) =>
      flush({ mode: 'daily', settings: { hour: '02:30' }, zone: 'Europe/Berlin', now });
    expect(daily('2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(daily('2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
  });

  test('skips the repeated hour for hourly digests', () => {
    const hourly = (now: string) => flush({ mode: 'hourly', zone: 'Europe/Berlin', now });
    expect(hourly('2026-10-24T23:59:00Z')).toBe('2026-10-25T00:00:00.000Z');
    expect(hourly('2026-10-25T00:00:00Z')).toBe('2026-10-25T02:00:00.000Z');
    expect(hourly('2026-10-25T01:30:00Z')).toBe('2026-10-25T02:00:00.000Z');
  });
});
