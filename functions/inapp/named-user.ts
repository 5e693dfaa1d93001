import * as v from 'valibot';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { Id } from '../../shared/schemas/fields/text.ts';

/** Returns the user named by the query `userId` or the header `x-user-id`, which `userProblems` has checked. */
export function namedUser(caller: Caller): string {
  return v.parse(Id, caller.userId);
}

export function userProblems({ caller }: RequestParts): Problem[] {
  const userId = caller && 'userId' in caller ? caller.userId : undefined;
  if (userId === undefined) return [{ where: 'query.userId', must: 'is required, or the header x-user-id' }];
  const { issues } = v.safeParse(Id, userId);
  return issues ? [{ where: 'query.userId', must: issues[0].message }] : [];
}
