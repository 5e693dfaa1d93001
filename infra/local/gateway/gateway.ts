import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { preflightHeaders } from '../../../shared/http/endpoint/cors.ts';
import type { HttpResponse } from '../../../shared/http/endpoint/response.ts';
import { type ListedRoute, methodsOf } from '../../../shared/http/rows/route.ts';
import {
  type CompiledRoute,
  compileRoutes,
  decodedPath,
  matchingRoutes,
  parametersOf,
} from '../../../shared/http/rows/routing.ts';
import { unknownRouteResponse } from '../../../shared/http/rows/unknown-route.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { afterArrivals } from './arrivals.ts';
import { trackResponses } from './drain.ts';
import { buildEvent, type GatewayRequest } from './event.ts';
import type { Admission } from './overload.ts';
import { readBody } from './read-body.ts';

const BODY_BYTES_MAX = 10 * 1024 * 1024;
/** Lambda's limit for an event and for a response, both as JSON: escapes and base64 count. */
const LAMBDA_BYTES_MAX = 6 * 1024 * 1024;
/** API Gateway's limit for the request line and the values of all headers. */
const HEADER_BYTES_MAX = 10_240;
/** Node's own limit counts names as well; a request between the two is rejected with the body of the gateway. */
const NODE_HEADER_BYTES_MAX = 256 * 1024;
/** API Gateway ends a request whose function takes longer. */
const INTEGRATION_MS_MAX = 29_500;

/** A response that the receiver writes itself, such as a stream of events. */
export type StreamResponse = { stream: (response: ServerResponse) => void };

/** Local-only paths, tried before the routes; undefined: the path is not one of them. */
export type LocalRoutes = (request: GatewayRequest) => Promise<HttpResponse | StreamResponse | undefined>;

/** A request of the API with its response; without a route, the gateway itself responded. */
export type GatewayResponse = {
  request: GatewayRequest;
  route: ListedRoute | undefined;
  response: HttpResponse;
  durationMs: number;
};

export type GatewayOptions = {
  routes: readonly ListedRoute[];
  /** Returns the function of a route, loaded with its first request. */
  loadHandler: (route: ListedRoute) => Promise<(event: never) => Promise<HttpResponse>>;
  local: LocalRoutes;
  nowMs: () => number;
  /** Called with each response of the API. */
  onResponse?: (answered: GatewayResponse) => void;
  /** Limits concurrent requests; none by default. */
  admission?: Admission;
};

export function createGateway(options: GatewayOptions): Server {
  return createGatewayServer(gatewayListener(options));
}

/** Creates a server that ignores every upgrade but WebSocket's, as API Gateway does (HTTP/2 clients offer h2c). */
export function createGatewayServer(listener: RequestListener): Server {
  const server = createServer({
    maxHeaderSize: NODE_HEADER_BYTES_MAX,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.on('request', afterArrivals(server, listener));
  // Clients decide how long an idle connection lives: closing one while a request is on its way loses the request.
  server.keepAliveTimeout = 0;
  return trackResponses(server).on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const { statusCode, body } = gatewayResponse(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
    socket.end(
      `HTTP/1.1 ${statusCode} Rejected\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

/** Returns the handler of the server's requests. It never throws: a failed request is a 500. */
export function gatewayListener(options: GatewayOptions): RequestListener {
  const tree = compileRoutes(options.routes);
  return (request, response) => {
    respond(request, options, tree)
      .catch(() => gatewayResponse(500))
      // Browsers take the service clock from it.
      .then((content) => write(request, response.setHeader('date', httpDate(options.nowMs())), content))
      .catch(() => fail(request, response));
  };
}

const httpDate = (ms: number) => new Date(ms).toUTCString();

function fail(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else write(request, response, gatewayResponse(500));
}

async function respond(
  raw: IncomingMessage,
  options: GatewayOptions,
  tree: readonly CompiledRoute[],
): Promise<HttpResponse | StreamResponse> {
  if (headerBytes(raw) > HEADER_BYTES_MAX) return gatewayResponse(431);
  const [sentPath = '/', search = ''] = splitOnce(originForm(raw.url ?? '/'), '?');
  const body = await readBody(raw, BODY_BYTES_MAX);
  if (!body) return gatewayResponse(413);
  const method = raw.method ?? 'GET';
  const request = { method, path: sentPath, query: new URLSearchParams(search), body, raw };
  const local = await options.local(method === 'HEAD' ? { ...request, method: 'GET' } : request);
  if (local) return local;
  const startedMs = performance.now();
  const { response, route } = await routed(request, search, options, tree);
  options.onResponse?.({ request, route, response, durationMs: performance.now() - startedMs });
  return response;
}

async function routed(
  request: GatewayRequest,
  search: string,
  options: GatewayOptions,
  tree: readonly CompiledRoute[],
): Promise<{ response: HttpResponse; route?: ListedRoute }> {
  const { method } = request;
  const path = decodedPath(request.path);
  if (path === undefined) return { response: gatewayResponse(400) };
  const matching = matchingRoutes(tree, path.matched);
  const open = matching.find((each) => each.route.cors);
  if (method === 'OPTIONS' && open) return { response: preflight(open, matching) };
  const found = matching.find((each) => methodsOf(each.route).includes(method));
  const event = buildEvent({
    request,
    path: path.raw,
    search,
    routeKey: found ? `${method} ${found.route.path}` : '$default',
    pathParameters: found ? parametersOf(found, path) : {},
    nowMs: options.nowMs(),
  });
  // Before any function, that of the `$default` route included.
  if (isTooLarge(event, request.body.length))
    return { response: gatewayResponse(413), ...defined({ route: found?.route }) };
  if (!found) {
    // The function of the `$default` route gets the path decoded twice.
    const methods = matchingRoutes(tree, path.raw).flatMap((each) => methodsOf(each.route));
    return { response: unknownRouteResponse(methods, randomUUID()) };
  }
  return { response: await invoke(options, found.route, event), route: found.route };
}

async function invoke(options: GatewayOptions, route: ListedRoute, event: unknown): Promise<HttpResponse> {
  const admitted = options.admission?.admit(route);
  if (admitted && 'retryAfterSeconds' in admitted)
    return gatewayResponse(admitted.statusCode, { 'retry-after': String(admitted.retryAfterSeconds) });
  try {
    await admitted?.turn;
    const handler = await options.loadHandler(route);
    const response = await within(handler(event as never), INTEGRATION_MS_MAX);
    if (!response) return gatewayResponse(503);
    return isTooLarge(response, response.body.length) ? gatewayResponse(500) : response;
  } finally {
    admitted?.release();
  }
}

/** Returns undefined when the time is up. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(timeout.resolve, ms, undefined);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Measures the JSON of a value with a large part of `length` characters; an escape takes at most six bytes.
 */
function isTooLarge(value: unknown, length: number): boolean {
  if (length * 6 + NODE_HEADER_BYTES_MAX * 6 < LAMBDA_BYTES_MAX) return false;
  return Buffer.byteLength(JSON.stringify(value)) > LAMBDA_BYTES_MAX;
}

function headerBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  const line = `${method} ${url} HTTP/${httpVersion}`;
  return values.reduce((total, value) => total + Buffer.byteLength(value, 'latin1'), line.length);
}

/** Responds for the most specific path that browsers may call, as API Gateway chooses among its OPTIONS routes. */
function preflight({ route: open }: CompiledRoute, matching: readonly CompiledRoute[]): HttpResponse {
  const methods = matching
    .filter(({ route }) => route.cors && route.path === open.path)
    .map(({ route }) => route.method);
  return { statusCode: 204, headers: preflightHeaders(methods), body: '' };
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  content: HttpResponse | StreamResponse,
): void {
  if ('stream' in content) {
    if (request.method === 'HEAD') response.end();
    else content.stream(response);
    return;
  }
  // A text goes out in one piece with the headers.
  const body = content.isBase64Encoded ? Buffer.from(content.body, 'base64') : content.body;
  response.writeHead(content.statusCode, { ...content.headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? '' : body);
}

/** Returns the path and query of a request target, which may be a whole address: proxies send those. */
function originForm(target: string): string {
  const rest = /^https?:\/\/[^/?]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Responses that API Gateway gives without a function, with its own bodies. */
const MESSAGES = {
  400: 'Bad Request',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

function gatewayResponse(
  statusCode: keyof typeof MESSAGES,
  headers: Record<string, string> = {},
): HttpResponse {
  const requestId = randomUUID();
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'apigw-requestid': requestId, ...headers },
    body: JSON.stringify({ message: MESSAGES[statusCode] }),
  };
}
