import fc from 'fast-check';

/** Code points of halves of pairs, which are no characters. */
const [HALVES_FROM, HALVES_TO] = [0xd800, 0xe000];
const HALVES = HALVES_TO - HALVES_FROM;

/** Any character: fast-check's own unit `binary` makes a map of all million of them for each use. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map((place) => String.fromCodePoint(place < HALVES_FROM ? place : place + HALVES), placeOf);

function placeOf(character: unknown): number {
  const [first = '', ...more] = typeof character === 'string' ? character : '';
  if (first === '' || more.length > 0 || !first.isWellFormed()) throw new Error('This is not one character.');
  const point = first.codePointAt(0) ?? 0;
  return point < HALVES_FROM ? point : point - HALVES;
}
