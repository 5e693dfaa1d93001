import { describe, expect, it } from 'vitest';
import { numberKeyOf, spellingsOf } from '../../../../shared/domain/phone/number-spellings.ts';
import { isOptedOutOf } from '../../../../shared/domain/phone/sms-opt-outs.ts';
import { senderFor, senderProblem } from '../../../../shared/domain/phone/sms-senders.ts';

describe('the spellings of a number', () => {
  it.each([
    ['+525512345678', '+5215512345678'],
    ['+541112345678', '+5491112345678'],
  ])('are two for %s and %s, and its key is the same', (short, long) => {
    expect([spellingsOf(short), spellingsOf(long)]).toEqual([
      [short, long],
      [long, short],
    ]);
    expect(numberKeyOf(short)).toBe(numberKeyOf(long));
    expect([short, long]).toContain(numberKeyOf(short));
  });

  it.each(['+14155550123', '+5255123456789', '+5225512345678', '+52551234567', '+5411123456789'])(
    'are one for %s',
    (number) => {
      expect([spellingsOf(number), numberKeyOf(number)]).toEqual([[number], number]);
    },
  );
});

describe('an opt-out from a number', () => {
  const decision = (serviceNumber: string, isOptedOut = true) => ({
    ...{ number: '+4915112345678', serviceNumber, isOptedOut, atMs: 0 },
  });

  it.each([
    [[decision('+1')], '+1', true],
    [[decision('+1')], '+2', false],
    [[decision('+1')], undefined, true],
    [[decision('+1')], 'Shop', true],
    [[decision('+1', false), decision('+2')], '+1', false],
    [[decision('+1', false)], undefined, false],
    [[decision('+1', false)], 'Shop', false],
    [[decision('+1'), decision('+2', false)], '+1', true],
    [[], '+1', false],
  ])('%j applies to %s: %s', (decisions, from, expected) => {
    expect(isOptedOutOf(decisions, from)).toBe(expected);
  });
});

describe('the sender of a text message', () => {
  const numbers = [
    ...[{ number: '+1' }, { number: '+49', countries: ['DE', 'AT'] }],
    ...[{ number: 'Shop', countries: ['US', 'GB'] }],
  ];

  it.each([
    [['DE'], '+49'],
    [['FR'], '+1'],
    [['FR', 'AT'], '+49'],
    [['GB'], 'Shop'],
    [['US'], '+1'],
    [['US', 'GB'], 'Shop'],
  ])('to %j is %s', (countries, sender) => {
    expect(senderFor(countries, numbers)).toBe(sender);
  });

  it('is the default of the provider where no number is usable', () => {
    expect(senderFor(['FR'], numbers.slice(1))).toBeUndefined();
    expect(senderFor(['FR'])).toBeUndefined();
  });

  it.each([
    ['Shop', ['US'], 'a phone number: US'],
    ['Shop', ['US', 'GB'], undefined],
    ['Other', ['GB'], undefined],
    ['+49', ['FR', 'IT'], 'one of the phoneNumbers of the account for FR, IT'],
    ['+49', ['FR', 'AT'], undefined],
    ['+1', ['FR'], undefined],
    ['+7', ['FR'], undefined],
    ['Shop', [], undefined],
    ['+49', [], undefined],
  ])('%s to %j must be %s', (from, countries, must) => {
    const problem = senderProblem(from, countries, numbers);
    if (must === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(`must be ${must}`);
  });

  it('may be one that has an entry for another country too', () => {
    const both = [...numbers, { number: '+49', countries: ['FR'] }];
    expect(senderProblem('+49', ['FR'], both)).toBeUndefined();
  });
});
