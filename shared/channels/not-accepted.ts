/**
 * Why a provider certainly has not accepted a message, for reasons of its own: another provider may be given it. Never
 * set after a timeout or a lost connection, which leave open what happened, nor for a fault of the recipient or content.
 */
export type NotAccepted = 'unreachable' | 'busy' | 'unavailable' | 'account' | 'sender';

/** A sign in a provider's response, or in the lack of one, and what it proves. */
export type Proofs = Readonly<Record<string, NotAccepted>>;

/** A shorter wait is no reason to change the provider. */
const LONG_WAIT_SECONDS = 30;

/**
 * All signs that let the next provider be tried, by who shows them; docs/concepts/failover.md lists them. Whatever is not
 * here proves nothing: the message stays with its provider, or has failed permanently.
 */
export const PROOFS = {
  /** Codes of connections that were never made: not a byte of the request can have been read. */
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
  /** Statuses of every HTTP provider; 429 when it asks to wait long. 500, 502 and 504 may hide an acceptance. */
  status: { 401: 'account', 402: 'account', 403: 'account', 429: 'busy', 503: 'unavailable' },
  /** What an AWS client throws when it has nothing to sign a request with. */
  credentials: { CredentialsProviderError: 'account' },
  /** Exceptions of SES besides the statuses. */
  ses: {
    AccountSuspendedException: 'account',
    SendingPausedException: 'account',
    NotFoundException: 'account',
    LimitExceededException: 'busy',
    MailFromDomainNotVerifiedException: 'sender',
  },
  /** Plain SMTP, by how far the conversation came: a reply is a decision, and before DATA there is no message. */
  smtp: {
    'no reply before DATA': 'unreachable',
    'greeting, EHLO or STARTTLS rejected': 'unavailable',
    'AUTH rejected or required': 'account',
    'MAIL FROM rejected for now': 'unavailable',
    'MAIL FROM rejected': 'sender',
    '421 or 451': 'unavailable',
    '454, or a quota': 'busy',
  },
  /** Exceptions of AWS End User Messaging besides the statuses. */
  aws: { AccessDeniedException: 'account', ServiceQuotaExceededException: 'account' },
  /** Failure codes of texts and calls, whoever gives them: the number cannot send, another provider's may. */
  phone: { 21612: 'sender', 40010: 'sender' },
} as const satisfies Record<string, Proofs>;

/** Codes of certificates and names that Node may add to. */
const NEVER_CONNECTED = /^(EAI_[A-Z]+|CERT_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_[A-Z_]+)$/;
/** What the AWS clients say when the time to connect is over. */
const CONNECT_TIMEOUT = /did not establish a connection/;

/** What `table` says of a sign. */
export function proofOf(table: Proofs, sign: string): NotAccepted | undefined {
  return Object.hasOwn(table, sign) ? table[sign] : undefined;
}

/** What the code, or the message, of a failed connection proves. */
export function notConnected(code: string, message = ''): NotAccepted | undefined {
  const isKnown = NEVER_CONNECTED.test(code) || CONNECT_TIMEOUT.test(message);
  return proofOf(PROOFS.connection, code) ?? (isKnown ? 'unreachable' : undefined);
}

/** What the error of an AWS client proves that has no code of a connection. */
export function withoutCredentials(code: string, name: string): NotAccepted | undefined {
  return code === '' ? proofOf(PROOFS.credentials, name) : undefined;
}

/** What a response's status proves. */
export function notAcceptedBy(status: number, retryAfterSeconds = 0): NotAccepted | undefined {
  if (status === 429 && retryAfterSeconds < LONG_WAIT_SECONDS) return undefined;
  return proofOf(PROOFS.status, String(status));
}
