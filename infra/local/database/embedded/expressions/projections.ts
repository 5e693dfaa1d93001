import { field, type WireItem, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { find, type Path, readPath, rejectOverlaps, resolved } from './paths.ts';
import { openScope, type Scope } from './scope.ts';
import { tokensOf } from './tokens.ts';

export type ReadProjection = Scope;

const KIND = 'ProjectionExpression';

export function readProjection(text: string): ReadProjection {
  const tokens = tokensOf(KIND, text);
  const scope = openScope(KIND);
  do readPath(tokens, scope);
  while (tokens.skip(','));
  if (tokens.peek() !== undefined) throw tokens.unexpected();
  scope.checks.push((bindings) =>
    rejectOverlaps(
      scope.paths.map((path) => resolved(path, bindings)),
      tokens.refused,
    ),
  );
  return scope;
}

export function pathsOf({ paths }: ReadProjection, bindings: Bindings): Path[] {
  return paths.map((path) => resolved(path, bindings));
}

/** The parts of an item that the paths name, in the nesting of the item. */
export function projected(item: WireItem, paths: readonly Path[]): WireItem {
  return picked({ M: item }, groupsOf(paths.filter((path) => find(item, path) !== undefined)))?.M ?? {};
}

/** Paths by their first part; none: the whole value. */
type Groups = Map<string | number, Path[]>;

function groupsOf(paths: readonly Path[]): Groups {
  const groups: Groups = new Map();
  for (const [first, ...rest] of paths)
    if (first !== undefined) groups.set(first, [...(groups.get(first) ?? []), rest]);
  return groups;
}

function picked(value: WireValue, groups: Groups): WireValue | undefined {
  const pick = (paths: Path[], inner: WireValue | undefined) =>
    inner && (paths.some((path) => path.length === 0) ? inner : picked(inner, groupsOf(paths)));
  if (value.M) {
    const fields = [...groups].flatMap(([name, paths]) => {
      const found = pick(paths, field(value.M, String(name)));
      return found ? [[String(name), found] as const] : [];
    });
    return { M: Object.fromEntries(fields) };
  }
  const inOrder = [...groups].sort(([left], [right]) => Number(left) - Number(right));
  return { L: inOrder.flatMap(([at, paths]) => pick(paths, value.L?.[Number(at)]) ?? []) };
}
