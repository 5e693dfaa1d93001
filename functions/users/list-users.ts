import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { userList } from '../../shared/database/entities/user-list.ts';
import { mailboxOf } from '../../shared/domain/mailbox.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { readCursor, writeCursor } from '../../shared/http/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { countFitting } from '../../shared/runtime/response-size.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/list.ts';
import { listUsersRoute } from './routes.ts';
import { userAnswers } from './user-answer.ts';

export const handler = endpoint(
  listUsersRoute,
  { userList, signer, suppressions },
  async ({ userList, signer, caller, query, ...deps }) => {
    const search = searchOf(query);
    const scope = {
      signer,
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
    const users = await userAnswers(deps, profiles, caller);
    const fitting = countFitting(users);
    const next = fitting < users.length ? page.users[fitting - 1]?.position : page.nextPosition;
    return {
      users: users.slice(0, fitting),
      ...defined({ nextToken: next && (await writeCursor(scope, next)) }),
    };
  },
);

type Search = { kind: 'email' | 'number' | 'prefix'; text: string };
type Query = { [Kind in Search['kind']]?: string | undefined };

/** The search of a request, normalized; undefined if it lists all users. */
function searchOf({ email, number, prefix }: Query): Search | undefined {
  const given = Object.entries({ email, number, prefix }).filter(([, text]) => text !== undefined);
  if (given.length > 1) {
    assertNoProblems([{ where: `query.${given[1]?.[0]}`, must: 'must not be combined with another search' }]);
  }
  if (email !== undefined) return { kind: 'email', text: mailboxOf(email) };
  if (prefix !== undefined) return { kind: 'prefix', text: prefix };
  if (number === undefined) return undefined;
  const problems: Problem[] = [];
  const normalized = normalizeContact({ number }, 'query', problems).number;
  assertNoProblems(problems);
  return { kind: 'number', text: normalized ?? '' };
}
