const ALLOWED_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'x-user-hash', 'x-user-id'];
const MAX_AGE_SECONDS = 86_400;

/**
 * Headers of every answer of a row with `cors`, errors too: without them a browser hides the answer from the page. Any
 * origin may ask, since the credential is a header that no browser adds by itself.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after',
};

/** Headers of the answer (204) to a browser's preflight request on a path whose rows with `cors` have these methods. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS.join(', '),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  };
}
