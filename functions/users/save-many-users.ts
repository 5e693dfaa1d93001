import type * as v from 'valibot';
import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { parsePart } from '../../shared/http/endpoint/parse.ts';
import { fieldsOf, unreported } from '../../shared/http/problems/check.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import { type Rejected, rejection } from '../../shared/http/problems/rejection.ts';
import { mapAtMost } from '../../shared/runtime/async/map-at-most.ts';
import type { User } from '../../shared/schemas/users/user.ts';
import { NewUser, saveManyUsersRoute } from './routes.ts';
import { changeProblems, savedUser } from './saved-user.ts';

type Result = { user: User } | Rejected;

const AT_ONCE = 16;

export const handler = endpoint(
  saveManyUsersRoute,
  { users, suppressions },
  async ({ caller, body, request, ...deps }) => {
    const results: Result[] = [];
    // Entries of one user change it in their order.
    const byUser = Map.groupBy(body.users.keys(), (index) => fieldsOf(body.users[index]).id ?? index);
    await mapAtMost(AT_ONCE, [...byUser.values()], async (indexes) => {
      for (const index of indexes)
        results[index] = await resultOf(deps, caller, {
          entry: body.users[index],
          where: `body.users[${index}]`,
          nowMs: request.receivedAtMs,
        });
    });
    return { results };
  },
);

/** Saves an entry as POST /users/{userId} would; one that is rejected changes nothing. */
async function resultOf(
  deps: Parameters<typeof savedUser>[0],
  caller: Caller,
  { entry, where, nowMs }: { entry: unknown; where: string; nowMs: number },
): Promise<Result> {
  try {
    const problems: Problem[] = [];
    const parsed = parsePart(where, NewUser, entry, problems);
    const found = await changeProblems(where, fieldsOf(entry), nowMs);
    assertNoProblems([...problems, ...unreported(found, problems)]);
    const change = parsedChange(parsed);
    return { user: await savedUser(deps, caller, { userId: change.id, body: change, nowMs }) };
  } catch (error) {
    return rejection(error);
  }
}

/** `parsePart` returns the parsed value if there is no problem. */
function parsedChange(parsed: unknown): v.InferOutput<typeof NewUser> {
  return parsed as v.InferOutput<typeof NewUser>;
}
