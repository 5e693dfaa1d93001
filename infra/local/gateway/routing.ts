import type { Route } from '../../../shared/http/route.ts';

/** A route with its path in segments. */
export type CompiledRoute = { route: Route; segments: (string | { parameter: string })[] };

/** Compiles routes in the order in which API Gateway chooses: fixed segments before parameters, from left to right. */
export function compileRoutes(routes: readonly Route[]): CompiledRoute[] {
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

/** Returns the path's parameters by name; the path is decoded already. */
export function parametersOf(compiled: CompiledRoute, path: string): Record<string, string> {
  const segments = path.split('/').slice(1);
  return Object.fromEntries(
    compiled.segments.flatMap((each, index) =>
      typeof each === 'string' ? [] : [[each.parameter, segments[index] ?? '']],
    ),
  );
}

/**
 * Decodes a path as an HTTP API does, before it chooses the route: an encoded slash separates segments, and a path ends
 * at an encoded question mark. Returns undefined for a malformed escape.
 */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path).split('?', 1)[0];
  } catch {
    return undefined;
  }
}
