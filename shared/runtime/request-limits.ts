/** Milliseconds until a connection to AWS must be ready. */
export const CONNECT_MS = 2000;
const RESPONSE_MS = 8000;

/** The `requestHandler` of every AWS client. Without `throwOnRequestTimeout`, the SDK only prints that a request takes long. */
export function requestLimits({ responseMs = RESPONSE_MS }: { responseMs?: number } = {}) {
  return { connectionTimeout: CONNECT_MS, requestTimeout: responseMs, throwOnRequestTimeout: true };
}
