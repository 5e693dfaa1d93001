import type { OperationRow } from './generated/operations.ts';
import type { listOf } from './list.ts';
import { pathSegmentOf } from './path-segment.ts';
import { type Call, type CallOptions, type ClientOptions, request } from './request.ts';

/**
 * Returns a method for each row; `users.save` is `save` in the group `users`. Rows of lists need `buildList`, without
 * which they return one page.
 */
export function methodsOf(
  options: ClientOptions,
  rows: Readonly<Record<string, OperationRow>>,
  buildList?: typeof listOf,
): Record<string, unknown> {
  const grouped: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const [resource, method] = name.includes('.') ? name.split('.', 2) : ['', name];
    const holder = resource ? groupOf(grouped, resource) : grouped;
    holder[method ?? name] = methodOf(options, row, buildList);
  }
  return grouped;
}

function groupOf(grouped: Record<string, unknown>, resource: string): Record<string, unknown> {
  grouped[resource] ??= {};
  return grouped[resource] as Record<string, unknown>;
}

/**
 * The arguments of a method are the path's parameters, the body and the query, as far as the operation has
 * them, then options.
 */
function methodOf(client: ClientOptions, row: OperationRow, buildList: typeof listOf | undefined) {
  const [method, template, parts, list] = row;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return (...args: unknown[]) => {
    let path = template;
    for (const name of names) path = path.replace(`{${name}}`, segmentOf(args.shift(), name));
    const call: Call = {
      method,
      path,
      body: parts.includes('b') ? args.shift() : undefined,
      query: parts.includes('q') ? (args.shift() as Record<string, unknown> | undefined) : undefined,
      isRepeatable: method !== 'POST' || parts.includes('i') || parts.includes('r'),
      acceptsIdempotencyKey: parts.includes('i'),
    };
    const options = args.shift() as CallOptions | undefined;
    if (!list || !buildList) return request(client, call, options);
    const [items, cursorIn, cursorOut] = list;
    return buildList(
      (cursor) => {
        const query = cursor === undefined ? call.query : { ...call.query, [cursorIn]: cursor };
        return request(client, { ...call, query }, options);
      },
      items,
      cursorOut,
    );
  };
}

/** Several IDs go into one segment, separated by commas. */
function segmentOf(value: unknown, name: string): string {
  const segments = (Array.isArray(value) ? value : [value]).map((each) => pathSegmentOf(String(each)));
  const isPlain = segments.every((segment) => !segment.startsWith('~'));
  const text = isPlain ? segments.join(',') : pathSegmentOf(String(value));
  if (value === undefined || value === null || text === '') throw new TypeError(`${name} is required`);
  // fetch resolves these: the request would go to another endpoint.
  if (text === '.' || text === '..') throw new TypeError(`${name} must not be ${text}`);
  return text;
}
