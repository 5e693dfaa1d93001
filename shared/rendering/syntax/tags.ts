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

/** True unless the values that a checked content gets certainly leave its rendering intact, if they are small. */
export function mayFailByValues(content: unknown): boolean {
  if (typeof content === 'string') {
    if (!hasTags(content)) return false;
    const names = [...content.matchAll(/(?:\{%-?|\|)\s*(\w+)/g)];
    return content.includes('..') || names.some(([, name = '']) => !SAFE.has(name));
  }
  return typeof content === 'object' && content !== null && Object.values(content).some(mayFailByValues);
}
