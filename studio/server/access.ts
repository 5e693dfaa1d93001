import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rejected, type StudioRequest, type StudioResponse } from './studio.ts';

/**
 * Access to the studio of a stage. Other processes and users of this machine reach its port as well, and the studio can do
 * what its key can: each start has its own token, in the address that it prints, which the browser exchanges for a cookie.
 */
export type Access = {
  /** Query of the address that opens the studio. */
  search: string;
  /** Returns the response to a request that may not pass, and to the exchange of the token; undefined for any other. */
  check: (request: StudioRequest) => StudioResponse | undefined;
};

const newSecret = () => randomBytes(32).toString('base64url');

export function createAccess(): Access {
  const token = newSecret();
  const session = newSecret();
  return {
    search: `?token=${token}`,
    check(request) {
      const problem = problemOf(request);
      if (problem) return rejected(403, 'FORBIDDEN', problem);
      const given = new URLSearchParams(request.search).get('token');
      if (request.path === '/' && given !== null && isSame(given, token)) return exchange(request, session);
      if (isSame(cookieOf(request), session)) return undefined;
      return rejected(
        401,
        'UNAUTHORIZED',
        'The studio needs the token of its current start.',
        'Open the address that npm run studio printed.',
      );
    },
  };
}

/** A redirect, so that the token is neither in the address bar nor sent again. */
function exchange(request: StudioRequest, session: string): StudioResponse {
  const cookie = `${cookieName(request)}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  const headers = {
    location: '/',
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { statusCode: 303, headers, body: Buffer.alloc(0) };
}

/** Only this page may call: no other name of this machine (DNS rebinding), no other page. */
function problemOf({ headers, method }: StudioRequest): string | undefined {
  const host = headers.get('host') ?? '';
  if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host)) return 'The studio responds on this machine only.';
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isForeign =
    (origin !== null && origin !== `http://${host}`) || site === 'cross-site' || site === 'same-site';
  if (isForeign) return 'The studio rejects requests from other pages.';
  if (method !== 'GET' && !headers.has('authorization'))
    return 'The studio rejects requests that a form could send.';
  return undefined;
}

/** Browsers send the cookies of a host to all of its ports, so that each studio has its own name. */
function cookieName({ headers }: StudioRequest): string {
  return `studio-${headers.get('host')?.split(':')[1] ?? '80'}`;
}

function cookieOf(request: StudioRequest): string {
  const start = `${cookieName(request)}=`;
  const found = (request.headers.get('cookie') ?? '').split('; ').find((each) => each.startsWith(start));
  return found?.slice(start.length) ?? '';
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
