import { AppError, docsOf, ERRORS } from '../../runtime/errors.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { ErrorBody } from '../../schemas/fields/error.ts';

/** The HTTP response of an endpoint, as API Gateway and direct callers expect it. */
export type HttpResponse = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  /** The body is base64 of bytes. */
  isBase64Encoded?: true;
};

export function jsonResponse(statusCode: number, value: unknown, requestId: string): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId },
    // Ends like a text file, so that a terminal shows two responses on two lines.
    body: `${JSON.stringify(value)}\n`,
  };
}

/**
 * Pages are for one recipient, contain no script and cannot be framed; they load nothing but an https logo.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

export function htmlResponse(statusCode: number, html: string, requestId: string): HttpResponse {
  return { statusCode, headers: { ...PAGE_HEADERS, 'x-request-id': requestId }, body: html };
}

/** The standard error body of `error`; anything but an `AppError` is a 500 without details. */
export function errorResponse(error: unknown, requestId: string): HttpResponse {
  const appError = error instanceof AppError ? error : new AppError('INTERNAL');
  const body: ErrorBody = {
    trackingId: requestId,
    error: {
      code: appError.code,
      message: appError.message,
      ...defined({ fix: appError.fix }),
      docs: docsOf(appError.code),
      ...defined({ errors: appError.errors?.map((each) => ({ ...each })) }),
      ...defined({ provider: appError.provider, providerCode: appError.providerCode }),
    },
  };
  const response = jsonResponse(ERRORS[appError.code].status, body, requestId);
  const { retryAfterSeconds, etag } = appError;
  const headers = defined({ 'retry-after': retryAfterSeconds?.toString(), etag });
  return { ...response, headers: { ...response.headers, ...headers } };
}
