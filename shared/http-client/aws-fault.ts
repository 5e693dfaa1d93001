/** AWS errors that this service handles, by their names; each service has its own spelling. */
const NAMES = {
  /** Another write to the same item, or the same write, is in progress. */
  conflict: /^Transaction(?:Conflict|InProgress)Exception$/,
  throttled: /^(?:ProvisionedThroughputExceededException|RequestLimitExceeded|ThrottlingException)$/,
  invalid: /^Validation(?:Exception|Error)$/,
  missing: /^ResourceNotFoundException$|NonExistentQueue|QueueDoesNotExist/,
  denied: /AccessDenied|NotAuthorized|UnrecognizedClient/,
} as const;

/**
 * True for a rejection by an AWS service and for a failed connection to it; anything else is a bug of this
 * service.
 */
export function isAwsFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('$fault' in error || error.name === 'TimeoutError') return true;
  return 'code' in error && /^E[A-Z]+$/.test(String(error.code));
}

/** True for the AWS error of that kind. Compares names: a class may exist twice in a bundle. */
export function isAwsError(error: unknown, kind: keyof typeof NAMES): error is Error {
  return error instanceof Error && NAMES[kind].test(error.name);
}
