import { SAMPLES_LENGTH_MAX } from '../../schemas/content/template.ts';
import { EACH, type Path } from './missing.ts';

/** Variables that no request supplies. */
const RESERVED: ReadonlySet<string | number> = new Set([
  'user',
  'unsubscribe_url',
  'preferences_url',
  '_more',
  'content',
]);

/** Entries of a list. */
const ENTRIES = [0, 1];

/** Most variables that get a sample, and most names in one. */
const VARIABLES_MAX = 500;
const PATH_LENGTH_MAX = 16;

/** Values by what a name says of them; others are the name in words. */
const BY_NAME: readonly (readonly [RegExp, unknown])[] = [
  [/e_?mail$/, 'ada@example.com'],
  [/url|link|href|image|avatar|logo|icon/, 'https://example.com/'],
  [/(?:_at|date|time|deadline)$/, '2026-12-24T09:00:00Z'],
  [/(?:count|total|amount|price|quantity|sum)$/, 3],
  [/(?:name|author)$/, 'Ada'],
];

/** Returns a value for each variable, lists with two entries; undefined if there is none. */
export function samplesFor(paths: readonly Path[]): Record<string, unknown> | undefined {
  const samples: Tree = new Map();
  for (const path of paths.slice(0, VARIABLES_MAX)) {
    if (path.length > PATH_LENGTH_MAX) continue;
    const own = path[0] === 'parameters' ? path.slice(1) : path;
    if (own.length > 0 && !RESERVED.has(own[0] ?? '')) grow(samples, own.map(String));
  }
  if (samples.size === 0) return undefined;
  // An item of a digest is an object, also where only their number is named.
  const items = samples.get('_items');
  if (items) samples.set('_items', new Map([[EACH, items.get(EACH) ?? new Map()]]));
  const found = Object.fromEntries([...samples].map(([name, tree]) => [name, sampleOf(tree, name, '')]));
  return JSON.stringify(found).length <= SAMPLES_LENGTH_MAX ? found : undefined;
}

/** What is inside of each name. */
type Tree = Map<string, Tree>;

function grow(tree: Tree, [name, ...rest]: readonly string[]): void {
  if (name === undefined || name === 'size') return;
  const isEntry = name === EACH || /^-?\d+$/.test(name) || name === 'first' || name === 'last';
  const key = isEntry ? EACH : name;
  const inner = tree.get(key) ?? new Map();
  tree.set(key, inner);
  grow(inner, rest);
}

function sampleOf(tree: Tree, name: string, suffix: string): unknown {
  const entry = tree.get(EACH);
  if (entry) return ENTRIES.map((index) => sampleOf(entry, name, `${suffix} ${index + 1}`));
  if (tree.size > 0 || name === '_items')
    return Object.fromEntries([...tree].map(([each, inner]) => [each, sampleOf(inner, each, suffix)]));
  const known = BY_NAME.find(([pattern]) => pattern.test(name.toLowerCase()));
  return known ? known[1] : wordsOf(name) + suffix;
}

/** `orderNumber` -> `Order number` */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
