import type { APIGatewayProxyEventV2 } from 'aws-lambda';

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
  query: Record<string, string>;
  /** As received, without the question mark. */
  rawQuery: string;
  /** Text or an already parsed value; undefined if the request has none. */
  body: unknown;
  ip: string | undefined;
  agent: string | undefined;
};

/** Reads an API Gateway HTTP API event (payload 2.0) or a direct event. Header names become lower case. */
export function readRequest(event: EndpointEvent): RawRequest {
  const http = 'requestContext' in event ? event.requestContext?.http : undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
  }
  const base64 = 'isBase64Encoded' in event && event.isBase64Encoded;
  const body =
    base64 && typeof event.body === 'string'
      ? Buffer.from(event.body, 'base64').toString('utf8')
      : event.body;
  return {
    headers,
    pathParameters: definedOnly(event.pathParameters),
    query: definedOnly(event.queryStringParameters),
    rawQuery: ('rawQueryString' in event && event.rawQueryString) || '',
    body: body ?? undefined,
    ip: http?.sourceIp,
    agent: http?.userAgent ?? headers['user-agent'],
  };
}

function definedOnly(values: Record<string, string | undefined> | undefined): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined && value !== null) defined[name] = String(value);
  }
  return defined;
}
