import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBody } from '../../infra/local/gateway/read-body.ts';
import { decodedPath } from '../../infra/local/gateway/routing.ts';
import type { CloudEvents } from './cloud-events.ts';
import { FunctionError } from './instance.ts';
import type { Lambda } from './lambda.ts';
import { ACCOUNT, type Deployment, REGION, type Resource } from './templates.ts';

const BODY_BYTES_MAX = 10 * 1024 * 1024;
/** Lambda's limit on a synchronous event and on a response, as JSON. */
const EVENT_BYTES_MAX = 6 * 1024 * 1024;
/** Any other body, that of a form included, is base64. */
const TEXT_BODY = /^(text\/|application\/(.+\+)?(json|xml|javascript))/i;
/** The request line and the values of all headers. */
const HEADER_BYTES_MAX = 10_240;

type Compiled = { key: string; method: string; parts: string[]; integration: Resource };
type Found = { route: Compiled; pathParameters: Record<string, string> };

/** An HTTP API of the templates: its routes, integrations and permissions, with API Gateway's own responses. */
export function createHttpApi(
  deployment: Deployment,
  api: Resource,
  cloud: { lambda: Lambda; events: () => CloudEvents; problems: string[] },
): Server {
  const routes = compile(deployment, api);
  const stage = deployment
    .ofType('AWS::ApiGatewayV2::Stage')
    .find(({ properties }) => properties.ApiId === api.ref);
  if (stage?.properties.StageName !== '$default' || !stage.properties.AutoDeploy)
    throw new Error('the HTTP API has no stage that deploys its routes');
  for (const key of Object.keys(stage.properties.RouteSettings ?? {}))
    if (!routes.some((route) => route.key === key))
      cloud.problems.push(`the stage has settings of ${key}, which is no route`);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [rawPath = '/', rawQueryString = ''] = (request.url ?? '/').split(/\?(.*)/s);
    if (headerBytes(request) > HEADER_BYTES_MAX)
      return reply(response, 431, 'Request Header Fields Too Large');
    const decoded = decodedPath(rawPath);
    if (decoded === undefined) return reply(response, 400, 'Bad Request');
    const found = findRoute(routes, request.method ?? 'GET', decoded.matched);
    if (!found) return reply(response, 404, 'Not Found');
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === undefined) return reply(response, 413, 'Request Entity Too Large');
    const event = eventOf(request, { path: decoded.raw, rawQueryString, body, found, apiId: api.ref });
    if (Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES_MAX)
      return reply(response, 413, 'Request Entity Too Large');
    const functionArn = found.route.integration.properties.IntegrationUri;
    const [method = '', template = ''] = found.route.key.split(' ');
    const source = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api.ref}/$default/${method}${template}`;
    if (!cloud.events().mayInvoke(functionArn, 'apigateway.amazonaws.com', source)) {
      cloud.problems.push(
        `${functionArn}: API Gateway has no permission to invoke it for ${found.route.key}`,
      );
      return reply(response, 500, 'Internal Server Error');
    }
    try {
      const payload = await cloud.lambda.invoke(functionArn, event);
      if (Buffer.byteLength(JSON.stringify(payload) ?? '') > EVENT_BYTES_MAX) {
        cloud.problems.push(`${functionArn}: a response is over 6 MB`);
        return reply(response, 500, 'Internal Server Error');
      }
      write(response, payload);
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      reply(response, 500, 'Internal Server Error');
    }
  }

  // Node's own limit counts names as well.
  return createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      cloud.problems.push(`HTTP API: ${String(error)}`);
      reply(response, 500, 'Internal Server Error');
    });
  });
}

/** Routes of an API with the integration that each names. */
function compile(deployment: Deployment, api: Resource): Compiled[] {
  const integrations = deployment.ofType('AWS::ApiGatewayV2::Integration');
  return deployment
    .ofType('AWS::ApiGatewayV2::Route')
    .filter(({ properties }) => properties.ApiId === api.ref)
    .map(({ template, properties }) => {
      const integration = integrations.find(
        (each) => each.template === template && `integrations/${each.ref}` === properties.Target,
      );
      if (!integration) throw new Error(`${properties.RouteKey} has no integration`);
      if (integration.properties.PayloadFormatVersion !== '2.0')
        throw new Error(`${properties.RouteKey} is not of payload format 2.0`);
      const [method = '', path = ''] = String(properties.RouteKey).split(' ');
      return { key: properties.RouteKey, method, parts: path.split('/').slice(1), integration };
    });
}

/** The most specific route: fixed segments before parameters, then `{proxy+}`, then `$default`. */
function findRoute(routes: readonly Compiled[], method: string, path: string): Found | undefined {
  const segments = path.split('/').slice(1);
  const matching = routes.flatMap((route) => {
    if (route.key === '$default') return [{ route, pathParameters: {}, rank: '9' }];
    const isMethod = route.method === method || route.method === 'ANY';
    const pathParameters = isMethod ? parametersOf(route.parts, segments) : undefined;
    const rank = route.parts
      .map((part) => (part.endsWith('+}') ? '2' : part.startsWith('{') ? '1' : '0'))
      .join('');
    return pathParameters ? [{ route, pathParameters, rank }] : [];
  });
  return matching.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0];
}

function parametersOf(
  parts: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  const isGreedy = parts.at(-1)?.endsWith('+}') ?? false;
  if (isGreedy ? segments.length < parts.length : segments.length !== parts.length) return undefined;
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
    } else if (part.endsWith('+}'))
      parameters[part.slice(1, -2)] = decodeURIComponent(segments.slice(index).join('/'));
    else if (segment === '') return undefined;
    else parameters[part.slice(1, -1)] = decodeURIComponent(segment);
  }
  return parameters;
}

function eventOf(
  request: IncomingMessage,
  read: { path: string; rawQueryString: string; body: Buffer; found: Found; apiId: string },
): object {
  const { path, rawQueryString, body, found, apiId } = read;
  const query = new URLSearchParams(rawQueryString);
  const names = [...new Set(query.keys())];
  const { cookie, ...headers } = Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => [
      name,
      values.join(name === 'cookie' ? '; ' : ','),
    ]),
  );
  const isText = TEXT_BODY.test(request.headers['content-type'] ?? '');
  const domainName = `${apiId}.execute-api.${REGION}.amazonaws.com`;
  return {
    version: '2.0',
    routeKey: found.route.key,
    rawPath: path,
    rawQueryString,
    ...(cookie ? { cookies: cookie.split('; ') } : {}),
    headers: { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
    ...(names.length > 0
      ? {
          queryStringParameters: Object.fromEntries(
            names.map((name) => [name, query.getAll(name).join(',')]),
          ),
        }
      : {}),
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      domainName,
      domainPrefix: apiId,
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '203.0.113.7',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: found.route.key,
      stage: '$default',
      time: new Date().toISOString(),
      timeEpoch: Date.now(),
    },
    ...(Object.keys(found.pathParameters).length > 0 ? { pathParameters: found.pathParameters } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function headerBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return values.reduce((total, value) => total + value.length, `${method} ${url} HTTP/1.1`.length);
}

type Payload = {
  statusCode?: number;
  headers?: Record<string, string>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
};

/** A payload without `statusCode` is the body of a 200, as with API Gateway. */
function write(response: ServerResponse, payload: unknown): void {
  const isResponse = typeof payload === 'object' && payload !== null && 'statusCode' in payload;
  const {
    statusCode = 200,
    headers = {},
    cookies = [],
    body = '',
    isBase64Encoded = false,
  }: Payload = isResponse
    ? (payload as Payload)
    : { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } };
  response.writeHead(statusCode, { ...headers, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) });
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
