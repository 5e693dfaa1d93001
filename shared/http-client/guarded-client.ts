import type { ClientRequest, Agent as HttpAgent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { defined } from '../runtime/values/defined.ts';
import {
  AddressRefused,
  type AllowedHosts,
  checkUrl,
  guardedLookup,
  type RefusalReason,
} from './address-guard.ts';
import type { Resolve } from './name-servers.ts';

/**
 * The outcome of a request. `refused`: the guard rejected it, and will again. `headers` have lower-case names; repeated headers
 * are joined by `, `. `body` is as sent, never decompressed; `truncated` if it was cut at the size limit, or did not end in time.
 * `unreachable` has the error's code (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`, ...).
 */
export type GuardedResponse =
  | {
      kind: 'response';
      status: number;
      headers: Record<string, string>;
      body: Buffer;
      truncated: boolean;
      durationMs: number;
    }
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'timeout' }
  | { kind: 'too_large' }
  | { kind: 'unreachable'; reason: string };

/**
 * A request to a customer's URL. Defaults: GET, 10 s in total, a response of at most 64 KB. `onTooLarge`:
 * `truncate` (default) returns what fits and what has arrived in time, `fail` returns `too_large` or the failure.
 */
export type GuardedRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  timeoutMs?: number;
  /** After this time, a response slower than 64 KB per second on average is a timeout. */
  patienceMs?: number;
  /** Time for the response's body once its status has arrived: what came until then is the response. */
  bodyMs?: number;
  sizeBytesMax?: number;
  onTooLarge?: 'truncate' | 'fail';
};

/** Requests to customers' URLs. Never throws, never follows a redirect (a 3xx is a response). */
export type GuardedClient = { request(input: GuardedRequest): Promise<GuardedResponse> };

// An import of node:http as an ES module reads all its exports, and `WebSocket` among them loads Node's whole fetch: 20 ms.
const http = process.getBuiltinModule('node:http');

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const SIZE_BYTES_MAX = 64 * 1024;
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;
const SPEED_CHECK_MS = 250;
const IDLE_TIMEOUT_MS = 4_000;
const OWN_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
const LOST_CONNECTION = ['ECONNRESET', 'EPIPE'];

type Plan = {
  url: URL;
  lookup: LookupFunction;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  connectTimeoutMs: number;
  bodyMs: number | undefined;
  sizeBytesMax: number;
  onTooLarge: 'truncate' | 'fail';
  startedAtMs: number;
  endsAtMs: number;
  patienceMs: number;
};
type Agents = { http: HttpAgent; https: HttpsAgent };
type Outcome = GuardedResponse | { kind: 'stale' };
type End = (outcome: Outcome) => void;

/**
 * The client for every URL that a customer supplies: webhooks, attachments, media, push endpoints, chat
 * webhooks. Only public addresses and `allowedHosts` are reached, and the time limit also ends slow and
 * endless responses. A kept connection that turns out to be closed is replaced once, within the same time
 * limit.
 */
export function createGuardedClient(options: {
  allowedHosts: AllowedHosts;
  connectTimeoutMs?: number;
  resolve?: Resolve;
}): GuardedClient {
  const keep = { keepAlive: true, maxFreeSockets: 8, timeout: IDLE_TIMEOUT_MS };
  const agents: Agents = { http: new http.Agent(keep), https: new HttpsAgent(keep) };
  const lookups = {
    guarded: guardedLookup(false, options.resolve),
    allowed: guardedLookup(true, options.resolve),
  };
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  return {
    async request(input) {
      const checked = checkUrl(input.url, options.allowedHosts);
      if (!checked.ok) return { kind: 'refused', reason: checked.reason };
      const lookup = checked.allowed ? lookups.allowed : lookups.guarded;
      const plan = buildPlan(input, checked.url, lookup, connectTimeoutMs);
      const outcome = await attempt(plan, agents);
      if (outcome.kind !== 'stale') return outcome;
      const second = await attempt(plan, undefined);
      return second.kind === 'stale' ? { kind: 'unreachable', reason: 'ECONNRESET' } : second;
    },
  };
}

function buildPlan(input: GuardedRequest, url: URL, lookup: LookupFunction, connectTimeoutMs: number): Plan {
  const startedAtMs = performance.now();
  const body = input.body === undefined ? undefined : Buffer.from(input.body);
  return {
    url,
    lookup,
    method: input.method ?? 'GET',
    headers: buildHeaders(input.headers ?? {}, body),
    body,
    connectTimeoutMs,
    sizeBytesMax: input.sizeBytesMax ?? SIZE_BYTES_MAX,
    onTooLarge: input.onTooLarge ?? 'truncate',
    startedAtMs,
    endsAtMs: startedAtMs + (input.timeoutMs ?? TIMEOUT_MS),
    patienceMs: input.patienceMs ?? Number.POSITIVE_INFINITY,
    bodyMs: input.bodyMs,
  };
}

function buildHeaders(headers: Record<string, string>, body: Buffer | undefined): Record<string, string> {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    'user-agent': 'notification-delivery-service',
    ...Object.fromEntries(lowered.filter(([name]) => !OWN_HEADERS.includes(name))),
    'accept-encoding': 'identity',
    ...defined({ 'content-length': body ? String(body.length) : undefined }),
  };
}

function attempt(plan: Plan, agents: Agents | undefined): Promise<Outcome> {
  try {
    return exchange(plan, openRequest(plan, agents));
  } catch {
    // node:http rejects header names and values that would break out of their line, before it connects.
    return Promise.resolve({ kind: 'refused', reason: 'malformed' });
  }
}

function openRequest(plan: Plan, agents: Agents | undefined): ClientRequest {
  const { url, method, headers, lookup } = plan;
  return url.protocol === 'https:'
    ? httpsRequest(url, { method, headers, lookup, agent: agents?.https ?? false })
    : http.request(url, { method, headers, lookup, agent: agents?.http ?? false });
}

function exchange(plan: Plan, request: ClientRequest): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let ended = false;
  let answering = false;
  const received = { bytes: 0 };
  let readSoFar: (() => GuardedResponse) | undefined;
  let body: NodeJS.Timeout | undefined;
  const end: End = (outcome) => {
    if (ended) return;
    ended = true;
    clearTimeout(total);
    clearTimeout(connect);
    clearTimeout(body);
    clearInterval(speed);
    resolve(outcome);
    // A receiver may respond without having read the request: that connection would hang half sent.
    if (outcome.kind !== 'response' || outcome.truncated || !request.writableFinished) request.destroy();
  };
  // A request whose response has a status was answered, even if the body never ends: it must not be repeated.
  const fail: End = (failure) => end(readSoFar?.() ?? failure);
  const total = setTimeout(() => fail({ kind: 'timeout' }), plan.endsAtMs - performance.now());
  const connect = setTimeout(() => fail({ kind: 'timeout' }), plan.connectTimeoutMs);
  const hasToHurry = Number.isFinite(plan.patienceMs);
  const checkSpeed = () => isTooSlow(plan, received.bytes) && fail({ kind: 'timeout' });
  const speed = hasToHurry ? setInterval(checkSpeed, SPEED_CHECK_MS) : undefined;
  request.once('socket', (socket) => whenConnected(socket, plan.url, () => clearTimeout(connect)));
  request.on('error', (error) => fail(toFailure(error, request.reusedSocket && !answering)));
  // A response that switches protocols closes the connection without an error.
  request.on('close', () => fail({ kind: 'unreachable', reason: 'ECONNRESET' }));
  request.on('response', (response) => {
    answering = true;
    const soFar = readResponse(plan, response, received, end);
    if (plan.onTooLarge === 'truncate') readSoFar = soFar;
    if (plan.bodyMs !== undefined && !ended) body = setTimeout(() => end(soFar()), plan.bodyMs);
    response.on('error', (error) => fail(toFailure(error, false)));
  });
  request.end(plan.body);
  return promise;
}

function whenConnected(socket: Socket, url: URL, then: () => void): void {
  if (!socket.connecting) then();
  else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then);
}

function isTooSlow({ startedAtMs, patienceMs }: Plan, bytes: number): boolean {
  const elapsedMs = performance.now() - startedAtMs;
  return elapsedMs >= patienceMs && (bytes * 1000) / elapsedMs < SLOWEST_BYTES_PER_SECOND;
}

/** Reads the response until its end or its size limit; returns what it is until then. */
function readResponse(
  plan: Plan,
  response: IncomingMessage,
  received: { bytes: number },
  end: End,
): () => GuardedResponse {
  const chunks: Buffer[] = [];
  let roomBytes = plan.sizeBytesMax;
  const readWith = (truncated: boolean): GuardedResponse => ({
    kind: 'response',
    status: response.statusCode ?? 0,
    headers: flattenHeaders(response.headers),
    body: Buffer.concat(chunks),
    truncated,
    durationMs: Math.round(performance.now() - plan.startedAtMs),
  });
  const soFar = () => readWith(true);
  const tooLarge = () => end(plan.onTooLarge === 'fail' ? { kind: 'too_large' } : soFar());
  if (plan.onTooLarge === 'fail' && Number(response.headers['content-length']) > roomBytes) {
    tooLarge();
    return soFar;
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, roomBytes));
    roomBytes -= chunk.length;
    received.bytes += chunk.length;
    if (roomBytes < 0) tooLarge();
  });
  response.on('end', () => end(readWith(false)));
  return soFar;
}

function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]);
  return Object.fromEntries(lines);
}

function toFailure(error: NodeJS.ErrnoException, reused: boolean): Outcome {
  if (error instanceof AddressRefused) return { kind: 'refused', reason: 'address' };
  const reason = error.code ?? 'UNKNOWN';
  return reused && LOST_CONNECTION.includes(reason) ? { kind: 'stale' } : { kind: 'unreachable', reason };
}
