import { textsIn } from '../language/language.ts';

/** Maximum nesting of blocks and other JSON of a content. */
export const JSON_DEPTH_MAX = 32;

/** Fewer characters than any limit on a content, in any encoding. */
const SMALL_CHARACTERS = 300_000;

/** True if a text contains anything that Liquid would change. */
export function hasTags(source: string): boolean {
  return source.includes('{{') || source.includes('{%');
}

/** True unless rendering a JSON value certainly leaves it as it is: it has tags at any depth, or is large or deep. */
export function mayFailToRender(value: unknown): boolean {
  const left = { characters: SMALL_CHARACTERS };
  return isDoubtful(value, left, 0);
}

function isDoubtful(value: unknown, left: { characters: number }, depth: number): boolean {
  if (typeof value === 'string') {
    left.characters -= value.length;
    return left.characters < 0 || hasTags(value);
  }
  if (typeof value !== 'object' || value === null) return false;
  return depth > JSON_DEPTH_MAX || Object.values(value).some((each) => isDoubtful(each, left, depth + 1));
}

const SAFE_TAGS = 'if elsif else endif unless endunless case when endcase comment endcomment raw endraw';
const SAFE_FILTERS =
  'default raw escape escape_once newline_to_br upcase downcase capitalize strip truncate append prepend url_encode first last size';
/** Tags and filters that fail for no value, but for a large one. */
const SAFE = new Set(`${SAFE_TAGS} ${SAFE_FILTERS}`.split(' '));

/** Each name in a tag may print all values, and each filter makes of a character at most ten: fewer than any limit of a content. */
const SMALL_WORK = 100_000;

/**
 * True unless `values` certainly leave the rendering of a checked content intact: no tag or filter fails for one, they are small,
 * and no text gets longer than `lengthMax`.
 */
export function mayFailByValues(content: unknown, values: object, lengthMax?: number): boolean {
  const text = textsIn(content).join('\n');
  if (text.length > SMALL_CHARACTERS) return true;
  const inside = insideTags(text);
  if (inside === '') return false;
  const names = text.match(/(?:\{%-?|\|)\s*\w+/g) ?? [];
  const isSafe = names.every((each) => SAFE.has(each.replace(/^\W+/, '')));
  if (!isSafe || inside.includes('..') || mayFailToRender(values)) return true;
  const read = inside.match(/\w+/g)?.length ?? 0;
  const filters = inside.split('|').length;
  const uses = read * filters;
  if (lengthMax !== undefined && text.length + uses * longestIn(values) > lengthMax) return true;
  return uses * (inside.length + JSON.stringify(values).length) > SMALL_WORK;
}

function longestIn(values: object): number {
  const lengths = Object.values(values).flatMap((each) =>
    Object.values(each).map((value) => JSON.stringify(value)?.length ?? 0),
  );
  return lengths.reduce((max, length) => Math.max(max, length), 0);
}

/** What the tags of a text contain, and more where another text also ends like a tag. */
function insideTags(text: string): string {
  const parts = text.split(/\{[{%]/).slice(1);
  return parts
    .map((part) => part.slice(0, Math.max(part.lastIndexOf('}}'), part.lastIndexOf('%}'))))
    .join('');
}
