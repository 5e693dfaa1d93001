import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test } from 'vitest';
import { countSegments } from '../../shared/domain/phone/sms-segments.ts';

const EXTENSION = ['\f', '^', '{', '}', '\\', '[', '~', ']', '|', '€'];
const PLAIN = Array.from(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCXYZÄÖÑÜ§¿abcxyzäöñüà',
);
const BEYOND = ['ç', 'ё', '中', '“', '`', '\t', 'ÿ', '😀', '𝒳', '🚀'];
const LENGTHS = [
  0, 1, 66, 67, 68, 69, 70, 71, 134, 135, 152, 153, 154, 159, 160, 161, 201, 202, 306, 307, 459, 460,
];

function expectLikeTheLibrary(text: string): void {
  const { encodingName, segmentsCount } = new SegmentedMessage(text);
  const { encoding, segments } = countSegments(text);
  expect({ text, encoding, segments }).toEqual({ text, encoding: encodingName, segments: segmentsCount });
}

/** Texts near the limits of length, of single characters (no combining characters). */
function textOf(...characters: string[][]) {
  const character = fc.constantFrom(...characters.flat());
  return fc
    .tuple(fc.constantFrom(...LENGTHS), fc.array(character, { minLength: 1, maxLength: 8 }))
    .chain(([length, tail]) =>
      fc
        .array(character, { minLength: Math.max(0, length - 4), maxLength: length })
        .map((body) => [...body, ...tail].join('')),
    );
}

describe('the reference calculator', () => {
  test.each([
    ['plain GSM-7', textOf(PLAIN)],
    ['GSM-7 with extension characters', textOf(PLAIN, EXTENSION)],
    ['nothing but extension characters', textOf(EXTENSION)],
    ['UCS-2', textOf(PLAIN, BEYOND)],
    ['UCS-2 with extension characters', textOf(EXTENSION, BEYOND)],
    ['surrogate pairs', textOf(['😀', '🚀', 'a'])],
  ])('agrees on %s', (_, texts) => {
    fc.assert(fc.property(texts, expectLikeTheLibrary), { numRuns: 200 });
  });

  test.each(
    ['a', 'Ç', '\n', ...EXTENSION, ...BEYOND].map((character) => [JSON.stringify(character), character]),
  )('agrees on %s at every boundary', (_, character) => {
    for (const length of LENGTHS) {
      expectLikeTheLibrary(character.repeat(length));
      expectLikeTheLibrary(`${'a'.repeat(length)}${character}${'b'.repeat(153)}`);
    }
  });

  test('agrees on the encoding of every character of the basic plane', () => {
    const isGsm = (character: string) => new SegmentedMessage(character).encodingName === 'GSM-7';
    const differing: string[] = [];
    for (let code = 0; code < 0x3000; code++) {
      const character = String.fromCharCode(code);
      if ((countSegments(character).encoding === 'GSM-7') !== isGsm(character))
        differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });
});
