import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { defined } from '../../../shared/runtime/values/defined.ts';

const TEXT_BODY = /^(text\/|application\/(.+\+)?(json|xml|javascript))/i;

export type GatewayRequest = {
  method: string;
  /** As it was sent, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  body: Buffer;
  raw: IncomingMessage;
};

export function buildEvent(input: {
  request: GatewayRequest;
  /** Decoded twice. */
  path: string;
  search: string;
  routeKey: string;
  pathParameters: Record<string, string>;
  nowMs: number;
}): unknown {
  const { request, path, search, routeKey, pathParameters, nowMs } = input;
  const { raw, method, query, body } = request;
  const { cookie, ...headers } = joinedHeaders(raw);
  // A body without a type is base64, too.
  const isText = TEXT_BODY.test(raw.headers['content-type'] ?? '');
  const values = valuesByName(query);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: search,
    ...defined({ cookies: cookie === undefined ? undefined : cookie.split('; ') }),
    headers,
    ...(values.size > 0
      ? {
          queryStringParameters: Object.fromEntries([...values].map(([name, all]) => [name, all.join(',')])),
        }
      : {}),
    ...defined({ pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : undefined }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: (raw.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: new Date(nowMs).toUTCString(),
      timeEpoch: nowMs,
    },
    ...defined({
      body: body.length > 0 ? (isText ? body.toString('utf8') : body.toString('base64')) : undefined,
    }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Returns the values of each name, in one pass: `getAll` for each name takes time quadratic in their number. */
export function valuesByName(query: URLSearchParams): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Combines repeated headers with commas, as API Gateway does; Node's own form drops a second `Authorization`. */
function joinedHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.join(name === 'cookie' ? '; ' : ','),
    ]),
  );
}
