/** Comparisons of Handlebars as operators of Liquid. */
export const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);

/** Returns a filter of Liquid from the helper's arguments after the first; undefined if they have no equivalent. */
type Filter = (rest: readonly string[]) => string | undefined;

const plain =
  (name: string): Filter =>
  (rest) =>
    rest.length === 0 ? name : undefined;
const withOne =
  (name: string, byDefault?: string): Filter =>
  ([first = byDefault, ...more]) =>
    first !== undefined && more.length === 0 ? `${name}: ${first}` : undefined;

/** Helpers of SES and Pinpoint that format their first argument, as filters of Liquid. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ['upper', plain('upcase')],
  ['uppercase', plain('upcase')],
  ['lower', plain('downcase')],
  ['lowercase', plain('downcase')],
  ['trim', plain('strip')],
  ['capitalize', plain('capitalize')],
  ['capitalizeFirst', plain('capitalize')],
  ['stripTags', plain('strip_html')],
  ['slugify', plain('slugify')],
  ['encode64', plain('base64_encode')],
  ['decode64', plain('base64_decode')],
  ['ceiling', plain('ceil')],
  ['floor', plain('floor')],
  ['round', plain('round')],
  ['join', withOne('join', '", "')],
  ['cut', withOne('remove', '" "')],
  ['abbreviate', withOne('truncate')],
  ['add', withOne('plus')],
  ['subtract', withOne('minus')],
  ['multiply', withOne('times')],
  ['divide', withOne('divided_by')],
  ['modulo', withOne('modulo')],
  ['replace', ([from, to]) => (from && to ? `replace: ${from}, ${to}` : undefined)],
  ['substring', substring],
]);

/** Filters that do not do exactly what the helper did, and the difference. */
export const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ['capitalize', 'capitalize: Liquid capitalizes the first word only, and makes the rest lower case'],
  ['capitalizeFirst', 'capitalizeFirst: Liquid also makes the rest lower case'],
]);

/** Liquid counts a length where Pinpoint names the end. */
function substring([start, end]: readonly string[]): string | undefined {
  const from = Number(start);
  const to = end === undefined ? Number.MAX_SAFE_INTEGER : Number(end);
  return Number.isInteger(from) && Number.isInteger(to) && to >= from
    ? `slice: ${from}, ${to - from}`
    : undefined;
}
