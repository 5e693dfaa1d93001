import type { OperationRow } from './generated/operations.ts';
import { pathSegmentOf } from './path-segment.ts';
import { type Call, type CallOptions, type ClientOptions, request } from './request.ts';
import type { resultOf } from './result.ts';

/** How methods return what they request. */
export type Forms = typeof resultOf;

/**
 * Returns a method for each row; `users.save` is `save` in the group `users`. Without `forms`, methods return promises; lists
 * return a page.
 */
export function methodsOf(
  options: ClientOptions,
  rows: Readonly<Record<string, OperationRow>>,
  forms?: Forms,
): Record<string, unknown> {
  const grouped: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const [method = '', resource] = name.split('.').reverse();
    const holder = resource ? groupOf(grouped, resource) : grouped;
    holder[method] = methodOf(options, row, forms);
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
function methodOf(client: ClientOptions, row: OperationRow, forms: Forms | undefined) {
  const [method, template, parts, list] = row;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return (...args: unknown[]) => {
    let path = template;
    for (const name of names) path = path.replace(`{${name}}`, segmentOf(args.shift(), name));
    const body = parts.includes('b') ? args.shift() : undefined;
    const query = parts.includes('q') ? (args.shift() as Record<string, unknown> | undefined) : undefined;
    const options = args.shift() as CallOptions | undefined;
    const call: Call = {
      method,
      path,
      body,
      query,
      isRepeatable: method !== 'POST' || /[ir]/.test(parts),
      acceptsIdempotencyKey: parts.includes('i'),
    };
    if (!forms) return request(client, call, options);
    return forms(client, call, options, list);
  };
}

/** Several IDs go into one segment, separated by commas. */
function segmentOf(value: unknown, name: string): string {
  const segments = [value].flat().map((each) => pathSegmentOf(String(each)));
  const isPlain = segments.every((segment) => !segment.startsWith('~'));
  const text = isPlain ? segments.join(',') : pathSegmentOf(String(value));
  if (value === undefined || value === null || text === '') throw new TypeError(`${name} is required`);
  // fetch resolves these: the request would go to another endpoint.
  if (text === '.' || text === '..') throw new TypeError(`${name} must not be ${text}`);
  return text;
}
