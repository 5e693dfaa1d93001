const PASSING_STATUSES = [408, 425, 429];

/** True for an HTTP status that says nothing about the request: the same request can succeed later. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || PASSING_STATUSES.includes(status);
}
