/**
 * Why a provider certainly has not accepted a message, because of the provider itself: another provider may
 * get it. Never set after a timeout or a lost connection, which leave the outcome open, nor for a fault of
 * the recipient or content.
 */
export type NotAccepted = 'unreachable' | 'busy' | 'unavailable' | 'account' | 'sender';

/** Signs in a provider's response, or in a failed connection, and what they prove. */
export type Proofs = Readonly<Record<string, NotAccepted>>;

/** A shorter wait is no reason to change the provider. */
const LONG_WAIT_SECONDS = 30;

/**
 * All signs after which the next provider is tried, by source; docs/concepts/failover.md lists them. Anything
 * else proves nothing: the message stays with its provider, or has failed permanently.
 */
export const PROOFS = {
  /** Codes of connections that were never made: the provider cannot have read any byte of the request. */
  connection: {
    ECONNREFUSED: 'unreachable',
    ENOTFOUND: 'unreachable',
    EAI_AGAIN: 'unreachable',
    EHOSTUNREACH: 'unreachable',
    ENETUNREACH: 'unreachable',
    UND_ERR_CONNECT_TIMEOUT: 'unreachable',
    CERT_HAS_EXPIRED: 'unreachable',
    CERT_NOT_YET_VALID: 'unreachable',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'unreachable',
    SELF_SIGNED_CERT_IN_CHAIN: 'unreachable',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unreachable',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unreachable',
    ERR_TLS_CERT_ALTNAME_INVALID: 'unreachable',
  },
  /**
   * Statuses of every HTTP provider; 429 if it asks for a long wait. 500, 502 and 504 may hide an acceptance.
   */
  status: { 401: 'account', 402: 'account', 403: 'account', 429: 'busy', 503: 'unavailable' },
  /** Error of an AWS client without credentials. */
  credentials: { CredentialsProviderError: 'account' },
  /** Exceptions of SES, in addition to the statuses. */
  ses: {
    AccountSuspendedException: 'account',
    SendingPausedException: 'account',
    NotFoundException: 'account',
    LimitExceededException: 'busy',
    MailFromDomainNotVerifiedException: 'sender',
  },
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
  /** Exceptions of AWS End User Messaging, in addition to the statuses. */
  aws: { AccessDeniedException: 'account', ServiceQuotaExceededException: 'account' },
  /**
   * Failure codes of text messages and calls of any provider: the number cannot send, but another provider's
   * may.
   */
  phone: { 21612: 'sender', 40010: 'sender' },
} as const satisfies Record<string, Proofs>;

/** Codes of certificates and names that Node may add to. */
const NEVER_CONNECTED = /^(EAI_[A-Z]+|CERT_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_[A-Z_]+)$/;
/** The AWS clients' message for a connection timeout. */
const CONNECT_TIMEOUT = /did not establish a connection/;

/** Returns what `table` says about a sign. */
export function proofOf(table: Proofs, sign: string): NotAccepted | undefined {
  return Object.hasOwn(table, sign) ? table[sign] : undefined;
}

/** Returns what the code, or the message, of a failed connection proves. */
export function notConnected(code: string, message = ''): NotAccepted | undefined {
  const isKnown = NEVER_CONNECTED.test(code) || CONNECT_TIMEOUT.test(message);
  return proofOf(PROOFS.connection, code) ?? (isKnown ? 'unreachable' : undefined);
}

/** Returns what an AWS client's error without a connection code proves. */
export function withoutCredentials(code: string, name: string): NotAccepted | undefined {
  return code === '' ? proofOf(PROOFS.credentials, name) : undefined;
}

/** Returns what a response's status proves. */
export function notAcceptedBy(status: number, retryAfterSeconds = 0): NotAccepted | undefined {
  if (status === 429 && retryAfterSeconds < LONG_WAIT_SECONDS) return undefined;
  return proofOf(PROOFS.status, String(status));
}
