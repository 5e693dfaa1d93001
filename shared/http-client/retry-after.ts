const SECONDS = /^\d+(\.\d+)?$/;
const HTTP_DATE = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}( GMT| \d{4})$/;

/**
 * The seconds that a `Retry-After` header asks to wait: a number of seconds, or the time until an HTTP date
 * in any of its three forms (RFC 9110 §5.6.7). A past date is 0; no header, or one in another form, is
 * undefined. The sender chooses the number, so the caller limits it.
 */
export function parseRetryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Math.ceil(Number(text));
  if (!HTTP_DATE.test(text)) return undefined;
  const dateMs = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}
