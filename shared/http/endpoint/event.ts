import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { readPathValue } from './path-value.ts';

/** The minimal event of a direct invocation from a script. */
export type DirectEvent = {
  headers?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  body?: unknown;
};

/** The event of an endpoint's Lambda. */
export type EndpointEvent = APIGatewayProxyEventV2 | DirectEvent;

/** A request read off either event form. */
export type RawRequest = {
  headers: Record<string, string>;
  pathParameters: Record<string, string>;
  /** Names of path parameters that begin with `~` and are not of that form. */
  unreadablePath: string[];
  query: Record<string, string>;
  /** As received, without the question mark. */
  rawQuery: string;
  /** Text or an already parsed value; undefined if the request has none. */
  body: unknown;
  /** The encoding in an error about a body that is not plain UTF-8. */
  encoding?: string | undefined;
  /** An invocation that did not come through API Gateway. */
  isDirect: boolean;
  ip: string | undefined;
  agent: string | undefined;
  /** Asks for the headers only. */
  isHead: boolean;
};

/** Reads an API Gateway HTTP API event (payload 2.0) or a direct event. Header names become lower case. */
export function readRequest(event: EndpointEvent): RawRequest {
  const http = 'requestContext' in event ? event.requestContext?.http : undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
  }
  const base64 = 'isBase64Encoded' in event && event.isBase64Encoded;
  const bytes = base64 && typeof event.body === 'string' ? Buffer.from(event.body, 'base64') : undefined;
  const body = bytes ? bytes.toString('utf8') : event.body;
  const path = Object.entries(definedOnly(event.pathParameters)).map(
    ([name, text]) => [name, readPathValue(text)] as const,
  );
  return {
    encoding: encodingOf(headers, body, bytes),
    headers,
    pathParameters: Object.fromEntries(path.map(([name, value]) => [name, value ?? ''])),
    unreadablePath: path.flatMap(([name, value]) => (value === undefined ? [name] : [])),
    query: definedOnly(event.queryStringParameters),
    rawQuery: ('rawQueryString' in event && event.rawQueryString) || '',
    body: body ?? undefined,
    isHead: http?.method === 'HEAD',
    isDirect: http === undefined,
    ip: http?.sourceIp,
    agent: http?.userAgent ?? headers['user-agent'],
  };
}

/** How bodies start in other encodings: by their mark, or by the zeros beside the first character of JSON. */
const STARTS = [
  [/^1f8b/, 'compressed with gzip'],
  [/^(fffe0000|0000feff|000000|..000000)/, 'in UTF-32'],
  [/^(fffe|feff|00..|..00)/, 'in UTF-16'],
] as const;

function encodingOf(headers: Record<string, string>, body: unknown, bytes?: Buffer): string | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  const compressed = /^\s*([\w-]{1,20})/.exec(encoding)?.[1]?.toLowerCase() ?? 'identity';
  if (compressed !== 'identity') return `compressed with ${compressed}`;
  const charset = /;\s*charset\s*=\s*"?([\w-]{1,20})/i.exec(type)?.[1];
  // In a text, the gateway replaces what is not UTF-8.
  const isReplaced = charset && !/^utf-?8$/i.test(charset) && String(body).includes('\ufffd');
  if (charset && (isReplaced || /^utf-?(16|32)/i.test(charset))) return `in ${charset.toUpperCase()}`;
  if (!bytes) return undefined;
  const start = bytes.subarray(0, 4).toString('hex');
  return STARTS.find(([pattern]) => pattern.test(start))?.[1] ?? (isUtf8(bytes) ? undefined : 'not UTF-8');
}

function definedOnly(values: Record<string, string | undefined> | undefined): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined && value !== null) defined[name] = String(value);
  }
  return defined;
}
