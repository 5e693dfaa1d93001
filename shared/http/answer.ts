import { AppError, ERRORS } from '../runtime/errors.ts';
import type { ErrorBody } from '../schemas/error.ts';

/** The HTTP answer of an endpoint, as API Gateway and direct callers take it. */
export type Answer = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  /** The body is base64 of bytes. */
  isBase64Encoded?: true;
};

/** A JSON answer. */
export function jsonAnswer(statusCode: number, value: unknown, requestId: string): Answer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify(value),
  };
}

/** The standard error body of `error`; anything but an `AppError` is a 500 without details (SPEC 7). */
export function errorAnswer(error: unknown, requestId: string): Answer {
  const appError = error instanceof AppError ? error : new AppError('INTERNAL');
  const body: ErrorBody = {
    trackingId: requestId,
    error: {
      code: appError.code,
      message: appError.message,
      ...(appError.fix === undefined ? {} : { fix: appError.fix }),
      ...(appError.provider === undefined ? {} : { provider: appError.provider }),
      ...(appError.providerCode === undefined ? {} : { providerCode: appError.providerCode }),
    },
  };
  return jsonAnswer(ERRORS[appError.code].status, body, requestId);
}
