import type { Caller } from '../../shared/http/caller.ts';
import type { RequestFacts } from '../../shared/http/endpoint.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';

/** One request to accept. `operation` keeps idempotency keys of different endpoints apart. */
export type AcceptRequest = {
  operation: string;
  caller: Caller;
  facts: RequestFacts;
  body: SendRequest;
  dryRun: boolean;
  /** Of a dry run: the language it is rehearsed in, if not the user's. */
  locale?: string | undefined;
  test?: boolean;
  /** Of an entry of a bulk request. */
  position?: number;
};
