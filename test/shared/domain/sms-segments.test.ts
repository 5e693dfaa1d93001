import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test } from 'vitest';
import { countSegments } from '../../../shared/domain/sms-segments.ts';

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

/** Texts whose length is near the limits, of single characters (no combining ones). */
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

describe('segment counts', () => {
  test.each([
    ['', 'GSM-7', 0, 1],
    ['a'.repeat(160), 'GSM-7', 160, 1],
    ['a'.repeat(161), 'GSM-7', 161, 2],
    ['a'.repeat(306), 'GSM-7', 306, 2],
    ['a'.repeat(307), 'GSM-7', 307, 3],
    ['€'.repeat(80), 'GSM-7', 160, 1],
    ['€'.repeat(81), 'GSM-7', 162, 2],
    ['中'.repeat(70), 'UCS-2', 70, 1],
    ['中'.repeat(71), 'UCS-2', 71, 2],
    ['中'.repeat(134), 'UCS-2', 134, 2],
    ['中'.repeat(135), 'UCS-2', 135, 3],
    ['😀'.repeat(35), 'UCS-2', 70, 1],
    ['😀'.repeat(36), 'UCS-2', 72, 2],
  ])('are, for %j, %s with %i units and %i segments', (text, encoding, units, segments) => {
    expect(countSegments(text)).toEqual({ encoding, units, segments });
  });

  test('move an extension character that does not fit to the next segment', () => {
    expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(151)}`).segments).toBe(2);
    expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toEqual({
      encoding: 'GSM-7',
      units: 306,
      segments: 3,
    });
  });

  test('move a surrogate pair that does not fit to the next segment', () => {
    expect(countSegments(`${'中'.repeat(66)}😀${'中'.repeat(65)}`).segments).toBe(2);
    expect(countSegments(`${'中'.repeat(66)}😀${'中'.repeat(66)}`)).toEqual({
      encoding: 'UCS-2',
      units: 134,
      segments: 3,
    });
  });
});
