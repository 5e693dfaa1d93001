import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { throttleScope } from '../../../shared/domain/timing/throttling.ts';

describe('the throttle key', () => {
  test('names user and type, whatever the order of the scope', () => {
    const key = throttleScope(['userId', 'notificationId'], 'ada', 'welcome');
    expect(key).toMatch(/^user-type-/);
    expect(throttleScope(['notificationId', 'userId'], 'ada', 'welcome')).toBe(key);
    expect(throttleScope(['userId', 'notificationId'], 'ada', 'goodbye')).not.toBe(key);
    expect(throttleScope(['userId', 'notificationId'], 'bob', 'welcome')).not.toBe(key);
  });

  test('names the user only, or the type only, when the scope names one twice', () => {
    expect(throttleScope(['userId', 'userId'], 'ada', 'a')).toBe(
      throttleScope(['userId', 'userId'], 'ada', 'b'),
    );
    expect(throttleScope(['userId', 'userId'], 'ada', 'a')).toMatch(/^user-(?!type)/);
    const perType = ['notificationId', 'notificationId'] as const;
    expect(throttleScope([...perType], 'ada', 'a')).toMatch(/^type-/);
    expect(throttleScope([...perType], 'ada', 'a')).toBe(throttleScope([...perType], 'bob', 'a'));
  });

  test('stays short and differs for different IDs and scopes', () => {
    const member = fc.constantFrom('userId' as const, 'notificationId' as const);
    const input = fc.tuple(fc.tuple(member, member), fc.string(), fc.string());
    const meaning = ([scope, user, type]: [string[], string, string]) =>
      JSON.stringify([scope.includes('userId') && [user], scope.includes('notificationId') && [type]]);
    fc.assert(
      fc.property(input, input, (one, other) => {
        const same = throttleScope(...one) === throttleScope(...other);
        expect(same).toBe(meaning(one) === meaning(other));
        expect(throttleScope(...one).length).toBeLessThan(60);
      }),
    );
  });
});
