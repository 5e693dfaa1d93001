import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyKeyword } from '../../../shared/domain/sms-keywords.ts';

const KINDS = {
  opt_out: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  opt_in: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;
const cases = Object.entries(KINDS).flatMap(([kind, keywords]) =>
  keywords.map((keyword) => ({ kind, keyword })),
);

describe('a text message with one keyword', () => {
  test.each(cases)('$keyword is $kind', ({ kind, keyword }) => {
    expect(classifyKeyword(keyword)).toEqual({ kind, keyword });
  });

  test('matches in any case, with any punctuation and spaces', () => {
    const around = fc.string({
      unit: fc.constantFrom(
        ' ',
        '\t',
        '\n',
        '\r',
        '.',
        '!',
        '?',
        '"',
        "'",
        '“',
        '…',
        '-',
        '*',
        '(',
        ')',
        '\u00a0',
        '🛑',
      ),
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.infiniteStream(fc.boolean()),
        around,
        around,
        (one, upper, before, after) => {
          const written = Array.from(one.keyword, (letter) =>
            upper.next().value ? letter : letter.toLowerCase(),
          );
          expect(classifyKeyword(`${before}${written.join('')}${after}`)).toEqual(one);
        },
      ),
    );
  });
});

describe('a text message with more than one keyword has none', () => {
  test.each([
    '',
    ' ',
    '.',
    'STOP now',
    'please stop',
    'STOP ALL',
    'OPT-OUT',
    'stopp',
    'STOP2',
    '2 STOP',
    'yes please',
    'stop.it',
    'STOP STOP',
    'no',
    'стоп',
    'STOP 中',
  ])('"%s"', (text) => {
    expect(classifyKeyword(text)).toBeUndefined();
  });

  test('when any other word is next to the keyword', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcxyz019é中'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...cases), word, fc.boolean(), ({ keyword }, other, isBefore) => {
        const text = isBefore ? `${other} ${keyword}` : `${keyword} ${other}`;
        expect(classifyKeyword(text)).toBeUndefined();
      }),
    );
  });

  test('and is evaluated immediately, even when it is long', () => {
    expect(classifyKeyword(`${'!'.repeat(200_000)}STOP${'!'.repeat(200_000)}2`)).toBeUndefined();
  });
});
