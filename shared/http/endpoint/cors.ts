import { DAY_SECONDS } from '../../runtime/values/durations.ts';

const ALLOWED_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'x-user-hash', 'x-user-id'];
const MAX_AGE_SECONDS = DAY_SECONDS;

/**
 * Headers of every response of a row with `cors`, including errors: without them, a browser hides the
 * response from the page. Any origin is allowed, because no browser adds the credential header automatically.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, date, idempotent-replayed',
};

/**
 * Headers of the response (204) to a browser's preflight request on a path whose rows with `cors` have these
 * methods.
 */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS.join(', '),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  };
}
