import { pathSegmentOf } from '../../client/src/path-segment.ts';
import { ROUTES } from '../../functions/routes.ts';
import type { Route } from '../../shared/http/rows/route.ts';
import { compileRoutes, decodedPath, matchingRoutes, parametersOf } from '../../shared/http/rows/routing.ts';

/** A call of an endpoint that needs a credential. */
export type Operation = {
  route: Route;
  /** Built from the route and its parameters, so that the service finds the same route. */
  path: string;
};

const ROUTE_TREE = compileRoutes(ROUTES.filter(({ access }) => access !== 'none'));

/** Finds the operation of a request by the rules of the gateway; undefined if there is none. */
export function findOperation(method: string, path: string): Operation | undefined {
  const decoded = decodedPath(path);
  const matching = decoded ? matchingRoutes(ROUTE_TREE, decoded.matched) : [];
  const found = matching.find(({ route }) => route.method === method);
  if (!decoded || !found) return undefined;
  const values = parametersOf(found, decoded);
  // A segment of dots would lead to another path.
  if (Object.values(values).some((value) => /^\.{0,2}$/.test(value))) return undefined;
  const { route } = found;
  return {
    route,
    path: route.path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(values[name] ?? '')),
  };
}

/** An ID that the page has encoded in base64url stays as it is. */
function segmentOf(value: string): string {
  return /^~[\w-]+$/.test(value) ? value : pathSegmentOf(value);
}

/** True if the call changes nothing: a dry run, or by its row. */
export function isRead({ method, readOnly, query }: Route, search: string): boolean {
  if (method === 'GET' || readOnly) return true;
  const hasDryRun = query !== undefined && 'entries' in query && 'dryRun' in Object(query.entries);
  const values = new URLSearchParams(search).getAll('dryRun');
  return hasDryRun && values.length === 1 && values[0] === 'true';
}
