import { analyzeSync, type Template, Variable } from 'liquidjs';
import type { Markup } from './engine.ts';
import { findTemplates } from './liquid.ts';

/** A text of a content, before rendering. */
export type Source = { text: string; as: Markup };

type Path = readonly (string | number)[];

/**
 * Returns the names of the variables in the texts, and in the components they embed, that `variables` does
 * not have, in alphabetical order: `name`, `user.nickname`, `items[0].price`. Texts that cannot be parsed
 * have none.
 */
export function missingVariables(
  sources: readonly Source[],
  variables: Readonly<Record<string, unknown>>,
  components: Readonly<Record<string, string>> = {},
): string[] {
  const html = Object.values(components).map((text): Source => ({ text, as: 'html' }));
  const paths = [...sources, ...html].flatMap(({ text, as }) => pathsIn(findTemplates(text, as) ?? []));
  return [...new Set(paths.filter((path) => !isSupplied(path, variables)).map(nameOf))].sort();
}

/**
 * Paths of the variables from outside; for `list[index]` it is the list, whose index is itself a variable.
 */
function pathsIn(templates: Template[]): Path[] {
  const { globals } = analyzeSync(templates, { partials: false });
  return Object.values(globals).flatMap((found) =>
    found.map(({ segments }) => {
      const dynamicAt = segments.findIndex((segment) => segment instanceof Variable);
      const fixed = dynamicAt < 0 ? segments : segments.slice(0, dynamicAt);
      return fixed.filter((segment): segment is string | number => !(segment instanceof Variable));
    }),
  );
}

const OF_LISTS: ReadonlySet<string | number> = new Set(['first', 'last']);

function isSupplied(path: Path, variables: unknown): boolean {
  let value = variables;
  for (const segment of path) {
    if (value === undefined || value === null) return false;
    if (Array.isArray(value) && OF_LISTS.has(segment)) value = segment === 'first' ? value[0] : value.at(-1);
    else if (segment === 'size' && !Object.hasOwn(Object(value), 'size')) return true;
    else if (Array.isArray(value) && typeof segment === 'number') value = value.at(segment);
    else value = Object.hasOwn(Object(value), segment) ? Object(value)[segment] : undefined;
  }
  return value !== undefined;
}

function nameOf(path: Path): string {
  return path
    .map((segment, index) =>
      typeof segment === 'number' ? `[${segment}]` : `${index > 0 ? '.' : ''}${segment}`,
    )
    .join('');
}
