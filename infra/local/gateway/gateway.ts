import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { type Answer, errorAnswer, jsonAnswer } from '../../../shared/http/answer.ts';
import { preflightHeaders } from '../../../shared/http/cors.ts';
import type { Route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';

/** What API Gateway takes at most; the functions' own limit is 6 MB. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;
const TEXT_BODY = /^(text\/|application\/(.+\+)?(json|xml|javascript))/i;

/** A request as the gateway has read it. */
export type GatewayRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Buffer;
  raw: IncomingMessage;
};

/** What the gateway needs. */
export type GatewayOptions = {
  routes: readonly Route[];
  /** The function of a route, loaded with its first request. */
  loadHandler: (route: Route) => Promise<(event: never) => Promise<Answer>>;
  /** Paths of the sandbox, asked before the routes; undefined: not one of them. */
  sandbox: (request: GatewayRequest) => Promise<Answer | undefined>;
  nowMs: () => number;
};

/** An HTTP server with the rules of an API Gateway HTTP API, payload format 2.0. */
export function createGateway(options: GatewayOptions): Server {
  const tree = compileRoutes(options.routes);
  return createServer((request, response) => {
    answerTo(request, options, tree)
      .catch((error: unknown) => errorAnswer(error, randomUUID()))
      .then((answer) => write(request, response, answer));
  });
}

async function answerTo(
  raw: IncomingMessage,
  options: GatewayOptions,
  tree: CompiledRoute[],
): Promise<Answer> {
  const [path = '/', search = ''] = splitOnce(raw.url ?? '/', '?');
  const query = new URLSearchParams(search);
  const method = raw.method ?? 'GET';
  const body = await readBody(raw);
  const sandboxed = await options.sandbox({ method, path, query, body, raw });
  if (sandboxed) return sandboxed;
  const segments = path.split('/').slice(1);
  const matching = tree.filter((each) => isMatch(each, segments));
  const open = matching.find((each) => each.route.cors);
  if (method === 'OPTIONS' && open) return preflight(open, matching);
  const found = matching.find((each) => each.route.method === method);
  if (!found) return unknownRoute(matching);
  const pathParameters = decodeParameters(found, segments);
  const handler = await options.loadHandler(found.route);
  const event = buildEvent({
    raw,
    method,
    path,
    search,
    query,
    body,
    found,
    pathParameters,
    nowMs: options.nowMs(),
  });
  return handler(event as never);
}

type CompiledRoute = { route: Route; segments: (string | { parameter: string })[] };

/** Fixed segments before parameters, from left to right, as API Gateway chooses. */
function compileRoutes(routes: readonly Route[]): CompiledRoute[] {
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

function isMatch(compiled: CompiledRoute, segments: readonly string[]): boolean {
  return (
    compiled.segments.length === segments.length &&
    compiled.segments.every((each, index) =>
      typeof each === 'string' ? each === segments[index] : segments[index] !== '',
    )
  );
}

/** Each parameter is percent-decoded once. */
function decodeParameters(compiled: CompiledRoute, segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  compiled.segments.forEach((each, index) => {
    if (typeof each === 'string') return;
    try {
      parameters[each.parameter] = decodeURIComponent(segments[index] ?? '');
    } catch {
      throw new AppError('INVALID_REQUEST', {
        message: 'The path has a malformed percent escape.',
        fix: 'Percent-encode the path as UTF-8.',
      });
    }
  });
  return parameters;
}

function unknownRoute(matching: readonly CompiledRoute[]): Answer {
  const id = randomUUID();
  const methods = [...new Set(matching.map((each) => each.route.method))];
  const isMethod = methods.length > 0;
  const error = {
    code: 'RESOURCE_NOT_FOUND',
    message: isMethod ? 'This path does not take this method.' : 'There is no such path.',
    fix: isMethod ? `Use ${methods.join(' or ')}.` : 'GET /openapi.json lists every path.',
  };
  const answer = jsonAnswer(isMethod ? 405 : 404, { trackingId: id, error }, id);
  return isMethod ? { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } } : answer;
}

/** For the most specific path that browsers may call, as API Gateway chooses among its OPTIONS routes. */
function preflight({ route: open }: CompiledRoute, matching: readonly CompiledRoute[]): Answer {
  const methods = matching
    .filter(({ route }) => route.cors && route.path === open.path)
    .map(({ route }) => route.method);
  return { statusCode: 204, headers: preflightHeaders(methods), body: '' };
}

function buildEvent(input: {
  raw: IncomingMessage;
  method: string;
  path: string;
  search: string;
  query: URLSearchParams;
  body: Buffer;
  found: CompiledRoute;
  pathParameters: Record<string, string>;
  nowMs: number;
}): unknown {
  const { raw, method, path, search, query, body, found, pathParameters, nowMs } = input;
  const headers = Object.fromEntries(
    Object.entries(raw.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : value,
    ]),
  );
  const isText = TEXT_BODY.test(raw.headers['content-type'] ?? 'application/json');
  const parameters = Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]),
  );
  const routeKey = `${found.route.method} ${found.route.path}`;
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: search,
    headers,
    ...(query.size > 0 ? { queryStringParameters: parameters } : {}),
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
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
    ...(body.length > 0 ? { body: isText ? body.toString('utf8') : body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      if (size <= BODY_BYTES_MAX) return done(Buffer.concat(chunks));
      const fix = 'Send a smaller body; link large files by URL.';
      failed(new AppError('INVALID_REQUEST', { message: 'The request body is over 6 MB.', fix }));
    });
    request.on('error', failed);
  });
}

function write(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? '' : body);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
