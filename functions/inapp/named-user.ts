import * as v from 'valibot';
import type { Caller } from '../../shared/http/caller.ts';
import { invalidRequest } from '../../shared/http/problems.ts';
import { Id } from '../../shared/schemas/text.ts';

/** The user the request names by query `userId` or header `x-user-id`. Throws INVALID_REQUEST when it names none. */
export function namedUser(caller: Caller): string {
  const parsed = v.safeParse(Id, caller.userId);
  if (parsed.success) return parsed.output;
  const must =
    caller.userId === undefined ? 'is required, or the header x-user-id' : parsed.issues[0].message;
  throw invalidRequest('query.userId', must);
}
