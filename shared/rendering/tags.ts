/** Most levels that blocks and other JSON of a content may be nested. */
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
