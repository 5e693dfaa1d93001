import type { ListedRoute } from './route.ts';

/** A route with its path in segments. */
export type CompiledRoute = { route: ListedRoute; segments: (string | { parameter: string })[] };

/** Compiles routes in API Gateway's order: fixed segments before parameters, from left to right. */
export function compileRoutes(routes: readonly ListedRoute[]): CompiledRoute[] {
  const compiled = routes.map((route) => ({
    route,
    segments: route.path
      .split('/')
      .slice(1)
      .map((segment) => (segment.startsWith('{') ? { parameter: segment.slice(1, -1) } : segment)),
  }));
  const rank = (each: CompiledRoute) =>
    each.segments.map((segment) => (typeof segment === 'string' ? '0' : '1')).join('');
  return compiled.sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** Returns the routes whose path matches, most specific first. */
export function matchingRoutes(tree: readonly CompiledRoute[], path: string): CompiledRoute[] {
  const segments = path.split('/').slice(1);
  return tree.filter(
    (compiled) =>
      compiled.segments.length === segments.length &&
      compiled.segments.every((each, index) =>
        typeof each === 'string' ? each === segments[index] : segments[index] !== '',
      ),
  );
}

/** A path as an HTTP API reads it. */
export type DecodedPath = {
  /** Decoded once: it chooses the route. */
  matched: string;
  /** Decoded twice: `rawPath` of the event. */
  raw: string;
};

/** Returns the path's parameters by name, decoded twice. */
export function parametersOf(compiled: CompiledRoute, { matched }: DecodedPath): Record<string, string> {
  const segments = matched.split('/').slice(1);
  return Object.fromEntries(
    compiled.segments.flatMap((each, index) =>
      typeof each === 'string' ? [] : [[each.parameter, decodeURIComponent(segments[index] ?? '')]],
    ),
  );
}

/**
 * Decodes a path as an HTTP API does: once before it chooses the route, so an encoded slash separates segments, and a path
 * ends at an encoded question mark; then once more for the event. Returns undefined if an escape is malformed in either.
 */
export function decodedPath(path: string): DecodedPath | undefined {
  try {
    const [matched = ''] = decodeURIComponent(path).split('?', 1);
    return { matched, raw: decodeURIComponent(matched) };
  } catch {
    return undefined;
  }
}
