import { describe, expect, it } from 'vitest';
import { clockTime } from '../../client/src/inbox/clock-time.ts';
import { snoozeTime } from '../../client/src/inbox/snooze.ts';

describe('the times to snooze until', () => {
  it('are an hour later, and nine on the next day by the clocks here', () => {
    const now = new Date(2026, 11, 31, 23, 30, 15);
    expect(snoozeTime('snooze-hour', now)).toEqual(new Date(2027, 0, 1, 0, 30, 15));
    expect(snoozeTime('snooze-tomorrow', now)).toEqual(new Date(2027, 0, 1, 9));
  });

  it('are nine on the next day also just after midnight and where a clock changes', () => {
    expect(snoozeTime('snooze-tomorrow', new Date(2026, 2, 28, 0, 5))).toEqual(new Date(2026, 2, 29, 9));
    expect(snoozeTime('snooze-tomorrow', new Date(2026, 9, 24, 12)).getHours()).toBe(9);
  });
});

describe('times of day in the fields of quiet hours', () => {
  it.each([
    ['22:00', '22:00'],
    ['7', '07:00'],
    ['10 pm', '22:00'],
    ['12:15 am', '00:15'],
    [undefined, ''],
    ['late', ''],
  ])('%s is %s', (text, value) => {
    expect(clockTime(text)).toBe(value);
  });
});
