import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { countryOf, normalizeNumber } from '../../../../shared/channels/phone/numbers/phone-number.ts';

it.each([
  '+1\u2011415\u2011555\u20110123',
  '\u202a+1 415 555 0123\u202c',
  '+1\u2212415\u2013555\u00a00123',
  '\u200e+14155550123\u200f',
  '+1\u202f415\u00a0555\u20090123',
  '+1\t415\t555\n0123',
  '+1/415/555-0123',
])('accepts %j as it is pasted', (text) => {
  expect(normalizeNumber(text)).toBe('+14155550123');
});

describe('ten digits without a country code', () => {
  it.each([
    '139 8765 4321',
    '98123 45678',
    '212 911 4567',
    '311-411-1234',
    '055 555 1234',
    '2125551',
    '415 155 2671',
    '12 34 56 78 90',
  ])('are no number where none can exist in North America: %s', (text) =>
    expect(normalizeNumber(text)).toBeUndefined(),
  );

  it.each(['415 555 2671', '(212) 555-0123', '604.555.0199'])('are a number: %s', (text) =>
    expect(normalizeNumber(text)).toMatch(/^\+1\d{10}$/),
  );
});

describe('a mobile number in Mexico', () => {
  it.each([
    '+5215512345678',
    '+52 1 55 1234 5678',
    '0052 1 (55) 1234-5678',
    '+525512345678',
    '+52 55 1234 5678',
  ])('is the same with the 1 of earlier years and without it: %s', (text) =>
    expect(normalizeNumber(text)).toBe('+525512345678'),
  );
});

describe('normalizeNumber', () => {
  it.each([
    ['4155552671', '+14155552671'],
    ['(415) 555-2671', '+14155552671'],
    ['415.555.2671', '+14155552671'],
    ['  415 555 2671 ', '+14155552671'],
    ['+1 415-555-2671', '+14155552671'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['0044 20 7946 0958', '+442079460958'],
    ['(00) 49 30 901820', '+4930901820'],
    ['001 415 555 2671', '+14155552671'],
    ['+15005550006', '+15005550006'],
  ])('converts %s to %s', (text, number) => {
    expect(normalizeNumber(text)).toBe(number);
  });

  it.each([
    '1 415 555 2671',
    '138 1234 5678',
    '98765 43210',
    '212 123 4567',
    '212 911 4567',
    '9119119111',
    '',
    ' ',
    '+',
    '00',
    '555-2671',
    '+1415555267',
    '+141555526711',
    '+999123456789',
    '0123456789',
    '1234567890',
    '20 7946 095',
    '2 415 555 2671',
    '+4915',
    '+493012345678901234',
    '+1 415 555 CALL',
    '+14155552671 ext 5',
    'tel:+14155552671',
    '+14155552671;phone-context=+44',
    '4155552671,4155552672',
    '+1+4155552671',
    '４１５５５５２６７１',
    'null',
  ])('rejects %j', (text) => {
    expect(normalizeNumber(text)).toBeUndefined();
  });

  it('returns E.164 that is already normalized, for any input', () => {
    const valid = fc.stringMatching(/^\+1 ?\(?415\)? ?555[ .-]?\d{4}$/);
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\+?[\d ().-]{5,20}$/), valid);
    fc.assert(
      fc.property(text, (given) => {
        const number = normalizeNumber(given);
        if (number === undefined) return;
        expect(number).toMatch(/^\+[1-9]\d{4,14}$/);
        expect(normalizeNumber(number)).toBe(number);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts every number that the full metadata considers valid', () => {
    const international = fc.stringMatching(/^\+[1-9]\d{7,13}$/);
    fc.assert(
      fc.property(international, (given) => {
        const oracle = parsePhoneNumberFromString(given);
        fc.pre(oracle?.isValid() === true);
        expect(normalizeNumber(given)).toBe(oracle?.number);
      }),
      { numRuns: 500 },
    );
  });
});

describe('countryOf', () => {
  it.each([
    ['+14155552671', 'US'],
    ['+12042345678', 'CA'],
    ['+442079460958', 'GB'],
    ['+79161234567', 'RU'],
    ['+77012345678', 'KZ'],
  ])('finds the country of %s: %s', (number, country) => {
    expect(countryOf(number)).toBe(country);
  });

  it.each(['+15551234567', '+999123456789', 'order'])('does not guess the country of %s', (number) => {
    expect(countryOf(number)).toBeUndefined();
  });
});
