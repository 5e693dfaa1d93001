/**
 * Why a provider certainly has not accepted a message, because of the provider itself: another provider may
 * get it. Never set after a timeout or a lost connection, which leave the outcome open, nor for a fault of
 * the recipient or content.
 */
export type NotAccepted = 'unreachable' | 'busy' | 'unavailable' | 'account' | 'sender';

/**
 * The cause of a rejection in an outcome table: the provider, so that another provider can follow, or the `message`, whose
 * recipient or content would fail everywhere. `open`: neither is certain.
 */
export type Cause = NotAccepted | 'message' | 'open';

/** Signs in a provider's response, or in a failed connection, and what they prove. */
export type Proofs = Readonly<Record<string, NotAccepted>>;

/** A shorter wait is no reason to change the provider. */
const LONG_WAIT_SECONDS = 30;

/**
 * The signs after which the next provider is tried, in addition to the codes in the providers' outcome tables;
 * docs/concepts/failover.md lists both. Anything else proves nothing: the message stays with its provider, or has
 * failed permanently.
 */
export const PROOFS = {
  /**
   * Every call over HTTP: no name found, no connection, no TLS handshake or no trusted certificate, or none of
   * these in time. Once the request was written, an error or a timeout proves nothing.
   */
  connection: { 'request not written': 'unreachable' },
  /**
   * Statuses of every HTTP provider; 429 if it asks for a long wait. 500, 502 and 504 may hide an acceptance.
   */
  status: { 401: 'account', 402: 'account', 403: 'account', 429: 'busy', 503: 'unavailable' },
  /** Error of an AWS client without credentials. */
  credentials: { CredentialsProviderError: 'account' },
  /**
   * Plain SMTP, by the progress of the conversation: a reply is a decision, and before DATA there is no
   * message.
   */
  smtp: {
    'no reply before DATA': 'unreachable',
    'greeting, EHLO or STARTTLS rejected': 'unavailable',
    'AUTH rejected or required': 'account',
    'MAIL FROM rejected for now': 'unavailable',
    'MAIL FROM rejected': 'sender',
    '421 or 451': 'unavailable',
    '454, or a quota': 'busy',
  },
} as const satisfies Record<string, Proofs>;

/** The AWS clients' message for a connection timeout. */
const CONNECT_TIMEOUT = /did not establish a connection/;

/** Returns the entry of `table` for a sign. */
function proofOf(table: Proofs, sign: string): NotAccepted | undefined {
  return Object.hasOwn(table, sign) ? table[sign] : undefined;
}

/** Returns what a call without a response proves; `written`: its request may have left this process. */
export function provenByConnection(written: boolean): NotAccepted | undefined {
  return written ? undefined : PROOFS.connection['request not written'];
}

/** An AWS client's error without a response; `requestWritten` is set by the agents of `createConnectedAgents`. */
type Unanswered = { name: string; message: string; requestWritten?: boolean | undefined };

// Time limits, lost connections, credentials that could not be fetched.
const UNANSWERED = ['TimeoutError', 'AbortError', 'RequestTimeout', 'CredentialsProviderError'];
const NETWORK_CODE =
  /^(E[A-Z]{3,}|(EAI|CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|UND_ERR|HPE)_.+)$/;

/** True if an AWS client's error means a call without a response, not a fault of this service. */
export function isUnanswered({ name, code = '' }: { name: string; code?: string | undefined }): boolean {
  return UNANSWERED.includes(name) || NETWORK_CODE.test(code);
}

/** Returns what an AWS client's error without a response proves. A request without credentials is not signed. */
export function provenByClient({ name, message, requestWritten }: Unanswered): NotAccepted | undefined {
  const isUnconnected = requestWritten === false || CONNECT_TIMEOUT.test(message);
  return provenByConnection(!isUnconnected) ?? proofOf(PROOFS.credentials, name);
}

export function notAcceptedBy(status: number, retryAfterSeconds = 0): NotAccepted | undefined {
  if (status === 429 && retryAfterSeconds < LONG_WAIT_SECONDS) return undefined;
  return proofOf(PROOFS.status, String(status));
}

/** Returns what a response proves whose cause a table lists; `status` and its wait decide if none does. */
export function provenBy(
  cause: Cause | undefined,
  status: number,
  retryAfterSeconds?: number,
): NotAccepted | undefined {
  if (cause === undefined) return notAcceptedBy(status, retryAfterSeconds);
  return cause === 'message' || cause === 'open' ? undefined : cause;
}
