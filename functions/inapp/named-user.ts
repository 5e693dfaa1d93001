import * as v from 'valibot';
import type { Caller } from '../../shared/http/caller.ts';
import { invalidRequest } from '../../shared/http/problems.ts';
import { Id } from '../../shared/schemas/text.ts';

/**
 * Returns the user named by the query `userId` or the header `x-user-id`. Throws INVALID_REQUEST if neither
 * is present.
 */
export function namedUser(caller: Caller): string {
  const parsed = v.safeParse(Id, caller.userId);
  if (parsed.success) return parsed.output;
  const must =
    caller.userId === undefined ? 'is required, or the header x-user-id' : parsed.issues[0].message;
  throw invalidRequest('query.userId', must);
}
