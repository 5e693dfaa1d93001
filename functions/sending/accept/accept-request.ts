import type { Caller } from '../../../shared/http/access/caller.ts';
import type { RequestFacts } from '../../../shared/http/endpoint/endpoint.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/** One request to accept. `operation` separates the idempotency keys of different endpoints. */
export type AcceptRequest = {
  operation: string;
  caller: Caller;
  facts: RequestFacts;
  body: SendRequest;
  dryRun: boolean;
  /** For a dry run: the language to show it in, if not the user's. */
  locale?: string | undefined;
  test?: boolean;
  /** For an entry of a bulk request. */
  position?: number;
};
