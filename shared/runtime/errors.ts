/**
 * Every error code that a response may have, with its status and default text.
 * A closed list: docs/reference.md is generated from it, and a test compares the two.
 */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, message: 'The request has invalid input.' },
  INVALID_JSON: { status: 400, message: 'The request body is not a JSON object.' },
  UNAUTHORIZED: { status: 401, message: 'The credential is missing, wrong or revoked.' },
  FORBIDDEN_KEY_TYPE: { status: 401, message: 'This credential may not call this operation.' },
  ADMIN_ONLY: { status: 401, message: 'Only an administrator of the account may call this operation.' },
  RESOURCE_NOT_FOUND: { status: 400, message: 'The resource does not exist in this account.' },
  DUPLICATE_RESOURCE: { status: 400, message: 'A resource with this name already exists.' },
  CHANGED_MEANWHILE: { status: 400, message: 'The resource has been changed or deleted in the meantime.' },
  RESOURCE_IN_USE: { status: 400, message: 'The resource is still in use.' },
  TOO_MANY_TRACKING_IDS: { status: 400, message: 'At most 25 tracking IDs can be looked up in one request.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor is not valid for this list.' },
  MISSING_NOTIFICATION_TYPE: { status: 400, message: 'The notification type is missing from the request.' },
  MISSING_RECIPIENT: { status: 400, message: 'The recipient is missing from the request.' },
  INVALID_CHANNEL: { status: 400, message: 'Unknown channel.' },
  INVALID_FIELD_FOR_CHANNEL: {
    status: 400,
    message: 'The body has fields that do not apply to the channel.',
  },
  INVALID_TEMPLATE: { status: 400, message: 'The template is not valid Liquid.' },
  INVALID_SCHEDULE_FORMAT: {
    status: 400,
    message: 'The schedule is not an ISO 8601 time within the next year.',
  },
  SCHEDULE_RESOURCE_NOT_FOUND: {
    status: 400,
    message: 'No scheduled notification has this tracking ID. It may have been sent or cancelled.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 400, message: 'This idempotency key was used with another request.' },
  UNVERIFIED_SENDER: { status: 400, message: 'The sender is not on a verified domain of this account.' },
  PLAN_ACTIVE: {
    status: 400,
    message: 'The organization has an active plan. A second plan would be billed too.',
  },
  LAST_ADMIN: { status: 400, message: 'The account needs at least one administrator.' },
  NOT_CONNECTED: { status: 400, message: 'The account is not connected to this platform.' },
  USAGE_LIMIT: { status: 402, message: 'The usage limit of the organization is reached.' },
  RATE_LIMITED: { status: 429, message: 'The credential or its account has made too many requests.' },
  PROVIDER_ERROR: { status: 502, message: 'An external service rejected or failed the request.' },
  INTERNAL: {
    status: 500,
    message:
      'Internal error. It is unknown whether the request took effect. Retry a send with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: 400 | 401 | 402 | 429 | 500 | 502; message: string }>;

/** An error code of the closed list. */
export type ErrorCode = keyof typeof ERRORS;

/** Returns the address of a code on the page of errors, relative to the API's address. */
export const docsOf = (...code: string[]): string => `/guide/errors#${code.join('-').toLowerCase()}`;

/** One problem of a request: `path` is dotted, within the body, or begins with `query.`, `path.` or `header.`. */
export type FieldError = {
  path: string;
  code: string;
  message: string;
  line?: number | undefined;
  column?: number | undefined;
};

/** Details that an `AppError` may add to the default text of its code. */
export type ErrorDetails = {
  /** The problem, from names and limits only, never from the caller's values. */
  message?: string;
  /** The next step, by the same rule. */
  fix?: string;
  /** The problems one by one, or the only field that is wrong. */
  errors?: readonly FieldError[];
  path?: string;
  /** External service and its own code; PROVIDER_ERROR only. */
  provider?: string;
  providerCode?: string;
  /** Seconds until the request can be repeated; RATE_LIMITED only. */
  retryAfterSeconds?: number;
  /** The ETag of the present state; CHANGED_MEANWHILE only. */
  etag?: string;
  /** About what a form sends, not about the link that it belongs to. */
  isAboutBody?: boolean;
  cause?: unknown;
  page?: string;
};

/** The code of a problem with the whole request, for errors without a field. */
const FIELD_CODE: { [Code in ErrorCode]?: string } = {
  INVALID_REQUEST: 'INVALID',
  INVALID_TEMPLATE: 'INVALID_TEMPLATE',
};

/** The one error that operations throw; its code determines status and default text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly provider: string | undefined;
  readonly providerCode: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly etag: string | undefined;
  readonly isAboutBody: boolean;
  /** What a browser is shown instead of the usual page. */
  readonly page: string | undefined;
  /** Always there for what is wrong with a request. */
  errors: readonly FieldError[] | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.fix = details.fix;
    this.provider = details.provider;
    this.providerCode = details.providerCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.etag = details.etag;
    this.isAboutBody = details.isAboutBody ?? false;
    this.page = details.page;
    const fieldCode = FIELD_CODE[code];
    const { path = fieldCode && '' } = details;
    const whole = path === undefined ? undefined : [{ path, code: fieldCode ?? code, message: this.message }];
    this.errors = details.errors ?? whole;
  }
}

/** Thrown for a stored item that its schema does not accept. The message has names only, no values. */
export class UnreadableItemError extends Error {
  constructor(entity: string, attribute: string) {
    super(`a stored ${entity} is not readable at ${attribute}`);
    this.name = 'UnreadableItemError';
  }
}
