/**
 * True for a rejection by an AWS service and for a failed connection to it; anything else is a bug of this
 * service.
 */
export function isAwsFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('$fault' in error || error.name === 'TimeoutError') return true;
  return 'code' in error && /^E[A-Z]+$/.test(String(error.code));
}
