import { describe, expect, it } from 'vitest';
import { clockTime } from '../../client/src/inbox/clock-time.ts';
import { snoozeTime } from '../../client/src/inbox/snooze.ts';

describe('the snooze options', () => {
  it('offer one hour, and nine on the next day in local time', () => {
    const now = new Date(2026, 11, 31, 23, 30, 15);
    expect(snoozeTime('snooze-hour', now)).toEqual(new Date(2027, 0, 1, 0, 30, 15));
    expect(snoozeTime('snooze-tomorrow', now)).toEqual(new Date(2027, 0, 1, 9));
  });

  it('offer nine on the next day, even just after midnight and at clock changes', () => {
    expect(snoozeTime('snooze-tomorrow', new Date(2026, 2, 28, 0, 5))).toEqual(new Date(2026, 2, 29, 9));
    expect(snoozeTime('snooze-tomorrow', new Date(2026, 9, 24, 12)).getHours()).toBe(9);
  });
});

describe('times in the fields of quiet hours', () => {
  it.each([
    ['22:00', '22:00'],
    ['7', '07:00'],
    ['10 pm', '22:00'],
    ['12:15 am', '00:15'],
    [undefined, ''],
    ['late', ''],
  ])('read %s as %s', (text, value) => {
    expect(clockTime(text)).toBe(value);
  });
});
