import type { ErrorCode, FieldError } from './generated/types.ts';

/** A response that is not a success, or not JSON. `code` is the error, `fix` the next step. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** Machine-readable; a newer service may know more codes than this package. */
  readonly code: ErrorCode | (string & {});
  readonly fix: string | undefined;
  /** The problems of the request one by one, each with its field; none of other errors. */
  readonly errors: readonly FieldError[];
  /** The address of the code on the page of errors, relative to the API's address. */
  readonly docs: string | undefined;
  /** Identifies the request in the service's own logs. */
  readonly trackingId: string | undefined;

  /** Of CHANGED_MEANWHILE: the present state's. */
  readonly etag: string | undefined;
  readonly response: Response;
  /** An earlier attempt may have had its effect. */
  readonly isUnclear: boolean = false;

  constructor(response: Response, body: ErrorBody) {
    super(body.error.message);
    this.response = response;
    this.status = response.status;
    this.code = body.error.code;
    this.fix = body.error.fix;
    this.errors = body.error.errors ?? [];
    this.docs = body.error.docs;
    this.etag = response.headers.get('etag') ?? undefined;
    this.trackingId = body.trackingId;
  }

  /** For logs: JSON has nothing of an error's message otherwise. */
  toJSON(): object {
    return { ...this, message: this.message, response: undefined, isUnclear: undefined };
  }
}

/** The request got no response: the network failed, or the time limit passed. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout: boolean, cause: unknown) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }

  toJSON(): object {
    return { ...this, message: this.message };
  }
}

export type ErrorBody = {
  trackingId?: string;
  error: { code: string; message: string; fix?: string; docs?: string; errors?: FieldError[] };
};
