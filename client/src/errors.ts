import type { ErrorCode } from './generated/types.ts';

/** A response that is not a success, or not JSON. `code` is the error, `fix` the next step. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable; a newer service may know more codes than this package. */
  readonly code: ErrorCode | (string & {});
  readonly fix: string | undefined;
  /** The address of the code on the page of errors, relative to that of the API. */
  readonly docs: string | undefined;
  /** Identifies the request in the service's own logs. */
  readonly trackingId: string | undefined;

  constructor(status: number, body: ErrorBody) {
    super(body.error.message);
    this.status = status;
    this.code = body.error.code;
    this.fix = body.error.fix;
    this.docs = body.error.docs;
    this.trackingId = body.trackingId;
  }
}

/** No response: the network failed, or the time limit passed. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout: boolean, cause: unknown) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}

export type ErrorBody = {
  trackingId?: string;
  error: { code: string; message: string; fix?: string; docs?: string };
};
