import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { userList } from '../../shared/database/entities/users/user-list.ts';
import { mailboxOf } from '../../shared/domain/users/mailbox.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { type CursorScope, readCursor, writeCursor } from '../../shared/http/lists/cursor.ts';
import type { RequestParts } from '../../shared/http/problems/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/problems/contact.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { countFitting } from '../../shared/runtime/response-size.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/fields/list.ts';
import { listUsersRoute, withPlus } from './routes.ts';
import { userResponses } from './user-response.ts';

export const handler = endpoint(
  listUsersRoute,
  { userList, signer, suppressions },
  async ({ userList, signer, caller, query, ...deps }) => {
    const search = searchOf(query);
    const scope: CursorScope = {
      signer,
      field: 'nextToken',
      binding: [
        'listUsers',
        caller.accountId,
        caller.environmentId,
        ...(search ? Object.values(search) : []),
      ],
    };
    const cursor = query.cursor ?? query.nextToken;
    const after = cursor === undefined ? undefined : String(await readCursor(scope, cursor));
    const range = { limit: query.limit ?? LIMIT_DEFAULT, after };
    const page = await (!search
      ? userList.listNewestFirst(caller, range)
      : search.kind === 'prefix'
        ? userList.listByPrefix(caller, search.text, range)
        : userList.listByContact(caller, { kind: search.kind, address: search.text }, range));
    const profiles = page.users.map(({ profile }) => profile);
    const users = await userResponses(deps, profiles, caller);
    const fitting = countFitting(users);
    const next = fitting < users.length ? page.users[fitting - 1]?.position : page.nextPosition;
    return {
      users: users.slice(0, fitting),
      ...defined({ nextToken: next && (await writeCursor(scope, next)) }),
    };
  },
  searchProblems,
);

type Search = { kind: 'email' | 'number' | 'prefix'; text: string };
type Query = { [Kind in Search['kind']]?: string | undefined };

/** The search of a request, normalized; undefined if it lists all users. */
function searchOf({ email, number, prefix }: Query): Search | undefined {
  if (email !== undefined) return { kind: 'email', text: mailboxOf(email) };
  if (prefix !== undefined) return { kind: 'prefix', text: prefix };
  if (number === undefined) return undefined;
  return { kind: 'number', text: normalizeContact({ number }).number ?? '' };
}

function searchProblems({ query: { email, number, prefix } }: RequestParts): Problem[] {
  const given = Object.entries({ email, number, prefix }).filter(([, text]) => text !== undefined);
  const second = given[1]?.[0];
  const combined = { where: `query.${second}`, must: 'must not be combined with another search' };
  // The values as they arrived.
  const searched = typeof number === 'string' ? withPlus(number) : undefined;
  return [...(second ? [combined] : []), ...contactProblemsAt('query', { number: searched })];
}
