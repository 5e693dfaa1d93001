/** Encoding and parts of a text message; `units` are septets of GSM-7 or 16-bit units of UCS-2. */
export type SmsSegments = { encoding: 'GSM-7' | 'UCS-2'; segments: number; units: number };

/** The default alphabet of 3GPP TS 23.038 without its escape; one septet each. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The extension table of 3GPP TS 23.038: an escape and one more septet each. */
const EXTENDED = new Set('\f^{}\\[~]|€');

/** Units of a single message, and of each part of a longer one, whose header takes the difference. */
const CAPACITY = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } };

/**
 * Counts the segments that carriers bill for `text`. Neither an extension character nor a surrogate pair is split
 * over two segments. An empty text is one segment.
 */
export function countSegments(text: string): SmsSegments {
  const septets = septetsOf(text);
  const encoding = septets ? 'GSM-7' : 'UCS-2';
  const sizes = septets ?? Array.from(text, (character) => character.length);
  const { single, part } = CAPACITY[encoding];
  const units = sizes.reduce((sum, size) => sum + size, 0);
  return { encoding, units, segments: units <= single ? 1 : countParts(sizes, part) };
}

/** The first character outside GSM-7. It reduces the characters per part of a text message. */
export function findUcs2Character(text: string): string | undefined {
  return [...text].find((character) => !BASIC.has(character) && !EXTENDED.has(character));
}

/** Septets of each character; undefined when one is outside GSM-7. */
function septetsOf(text: string): number[] | undefined {
  const sizes: number[] = [];
  for (const character of text) {
    if (BASIC.has(character)) sizes.push(1);
    else if (EXTENDED.has(character)) sizes.push(2);
    else return undefined;
  }
  return sizes;
}

function countParts(sizes: readonly number[], capacity: number): number {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > capacity) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}
