import { field, type WireItem, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { isReserved } from './reserved-words.ts';
import type { PathText, Scope } from './scope.ts';
import type { Tokens } from './tokens.ts';

/** A way into an item, by the names that placeholders stand for. */
export type Path = readonly (string | number)[];

const DEPTH_MAX = 32;
const NAME = /^(?:#\w+|[A-Za-z_]\w*)$/;

export function readPath(tokens: Tokens, scope: Scope): PathText {
  const parts: (string | number)[] = [readName(tokens, scope)];
  for (;;) {
    if (tokens.skip('.')) parts.push(readName(tokens, scope));
    else if (tokens.skip('[')) {
      const position = tokens.take();
      if (!/^\d+$/.test(position)) throw tokens.unexpected(true);
      if (Number(position) > Number.MAX_SAFE_INTEGER)
        throw tokens.refused('List index is not within the allowable range');
      parts.push(Number(position));
      tokens.expect(']');
    } else break;
  }
  if (parts.length > DEPTH_MAX)
    throw tokens.refused(
      `The document path has too many nesting elements; nesting levels: ${parts.length}, max nesting levels: ${DEPTH_MAX}`,
    );
  scope.paths.push(parts);
  return parts;
}

function readName(tokens: Tokens, scope: Scope): string {
  const name = tokens.take();
  if (!NAME.test(name)) throw tokens.unexpected(true);
  if (name.startsWith('#')) scope.names.add(name);
  else if (isReserved(name))
    throw tokens.refused(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
  return name;
}

export function resolved(path: PathText, { names }: Bindings): Path {
  return path.map((part) =>
    typeof part === 'string' && part.startsWith('#') ? (field(names, part) ?? part) : part,
  );
}

export function find(item: WireItem, path: Path): WireValue | undefined {
  let found: WireValue | undefined = { M: item };
  for (const part of path) found = typeof part === 'number' ? found?.L?.[part] : field(found?.M, part);
  return found;
}

/** As DynamoDB's messages show a path. */
export function shown(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}

/** Rejects paths that contain one another, or that treat a value as both a list and a map. */
export function rejectOverlaps(paths: readonly Path[], refused: (reason: string) => Error): void {
  for (const [index, path] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const problem = problemOf(path, other);
      if (problem)
        throw refused(
          `Two document paths ${problem} with each other; must remove or rewrite one of these paths; path one: ${shown(path)}, path two: ${shown(other)}`,
        );
    }
  }
}

function problemOf(path: Path, other: Path): 'overlap' | 'conflict' | undefined {
  const length = Math.min(path.length, other.length);
  for (let at = 0; at < length; at += 1) {
    if (typeof path[at] !== typeof other[at]) return 'conflict';
    if (path[at] !== other[at]) return undefined;
  }
  return 'overlap';
}
