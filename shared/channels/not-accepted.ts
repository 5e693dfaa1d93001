/**
 * Why a provider certainly has not accepted a message, for reasons of its own: another provider may be given it. Never
 * set after a timeout or a lost connection, which leave open what happened, nor for a fault of the recipient or content.
 */
export type NotAccepted = 'unreachable' | 'busy' | 'unavailable' | 'account' | 'sender';

/** Codes of connections that were never made: not a byte of the request can have been read. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** A shorter wait is no reason to change the provider. */
const LONG_WAIT_SECONDS = 30;

/** What the code of a failed connection proves. */
export function notConnected(code: string): NotAccepted | undefined {
  return NEVER_CONNECTED.test(code) ? 'unreachable' : undefined;
}

/** What a response's status proves; 500, 502 and 504 may come from something behind which the message was accepted. */
export function notAcceptedBy(status: number, retryAfterSeconds = 0): NotAccepted | undefined {
  if (status === 401 || status === 402 || status === 403) return 'account';
  if (status === 429) return retryAfterSeconds >= LONG_WAIT_SECONDS ? 'busy' : undefined;
  return status === 503 ? 'unavailable' : undefined;
}
