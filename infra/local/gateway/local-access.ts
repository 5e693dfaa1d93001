import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errorResponse, type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { GatewayRequest } from './event.ts';
import type { LocalRoutes } from './gateway.ts';

/**
 * Access to the paths that exist only on this machine: direct invocation, `/_sandbox/*`, `/@connections` and pages. They need no
 * credential, so a page of another site and a name that was rebound to 127.0.0.1 must not reach them.
 */
export type LocalAccess = {
  /** Required of every local-only request when the service listens beyond loopback. */
  token: string | undefined;
  /** Called with unexpected errors of local-only routes. */
  onError?: (error: unknown) => void;
};

const LOCAL_PATH =
  /^\/(?:_sandbox(?:\/|$)|2015-03-31\/|(?:[^/]+\/)?(?:@|%40)connections\/|(?:docs|guide)(?:\/|$)|llms\.txt$|$)/i;
/** Public keys, for anyone who verifies a token, and the documentation. */
const PUBLIC_PATH = /^\/(?:_sandbox\/issuer\/\.well-known\/|guide(?:\/|$)|llms\.txt$)/;
const TOKEN_HEADER = 'x-sandbox-token';
const TOKEN_COOKIE = 'sandbox_token';
/** Content types that a form of any page can send without asking first. */
const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;
/** Headers that a page of another site cannot send without asking first; AWS clients send the first two. */
const CUSTOM_HEADERS = ['authorization', 'x-amz-date', TOKEN_HEADER, 'x-requested-with'];
/** The page itself sends a form; its session is signed and cannot be guessed. */
const FORM_PATH = /^\/_sandbox\/checkout\//;

/** Keys and messages stay out of caches and frames. */
const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'self'",
} as const;

export function newAccessToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Guards local-only paths: rejected requests reach none of `routes`. */
export function guarded(access: LocalAccess, routes: LocalRoutes): LocalRoutes {
  return async (request) => {
    if (!LOCAL_PATH.test(request.path)) return undefined;
    const problem = problemOf(access, request);
    if (problem) return jsonResponse(403, problem, randomUUID());
    const response = await routes(request).catch((error: unknown) => rejected(error, access));
    if (!response || 'stream' in response) return response;
    const cookie = `${TOKEN_COOKIE}=${access.token}; Path=/; HttpOnly; SameSite=Lax`;
    const given = isGivenInQuery(access, request) ? { 'set-cookie': cookie } : {};
    return { ...response, headers: { ...PRIVATE, ...response.headers, ...given } };
  };
}

function rejected(error: unknown, { onError }: LocalAccess): HttpResponse {
  if (!(error instanceof AppError)) onError?.(error);
  return errorResponse(error, randomUUID());
}

type Problem = { message: string; fix: string };

function problemOf(access: LocalAccess, request: GatewayRequest): Problem | undefined {
  const { raw, path } = request;
  if (PUBLIC_PATH.test(path)) return undefined;
  if (access.token !== undefined) {
    if (!hasToken(access.token, request))
      return {
        message: 'This path needs the access token of the local run.',
        fix: `Send the header ${TOKEN_HEADER} with the token that npm start printed.`,
      };
  } else if (!isLoopbackHost(raw.headers.host) || !isLoopbackHost(forwardedHost(raw)))
    return {
      message: 'This path responds on this machine only.',
      fix: 'Use http://localhost with the port of the local run, or start it with --host.',
    };
  if (!isOwnOrigin(raw))
    return {
      message: 'This path rejects requests from other web pages.',
      fix: 'Call it from a script or from the page of the local run.',
    };
  if (isWrite(request) && !isDeliberate(request))
    return {
      message: 'This path rejects requests that a form could send.',
      fix: 'Send the header content-type: application/json.',
    };
  return undefined;
}

/** True if a Host header, if any, names this machine; a name that was rebound to 127.0.0.1 does not. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
}

/** A tunnel passes on the name that was requested. */
function forwardedHost({ headers }: IncomingMessage): string | undefined {
  const value = headers['x-forwarded-host'];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Browsers send the origin of a request; a link to a page may come from anywhere, because no other page can read its
 * response. A frame is no link.
 */
function isOwnOrigin({ headers, method }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = 'document' } = headers;
  const isLink = method === 'GET' && mode === 'navigate' && destination === 'document';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink) return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

function isWrite({ method }: GatewayRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

function isDeliberate({ raw: { headers }, path, body }: GatewayRequest): boolean {
  if (FORM_PATH.test(path)) return true;
  if (CUSTOM_HEADERS.some((name) => headers[name] !== undefined)) return true;
  const type = headers['content-type'];
  return type === undefined ? body.length === 0 : !FORM_TYPES.test(type);
}

function hasToken(token: string, { raw, query }: GatewayRequest): boolean {
  const header = raw.headers[TOKEN_HEADER];
  const cookie = (raw.headers.cookie ?? '')
    .split('; ')
    .find((each) => each.startsWith(`${TOKEN_COOKIE}=`))
    ?.slice(TOKEN_COOKIE.length + 1);
  return [header, cookie, query.get('token')].some(
    (candidate) => typeof candidate === 'string' && isSame(candidate, token),
  );
}

function isSame(candidate: string, token: string): boolean {
  const [left, right] = [Buffer.from(candidate), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isGivenInQuery({ token }: LocalAccess, { query }: GatewayRequest): boolean {
  return token !== undefined && query.get('token') === token;
}
