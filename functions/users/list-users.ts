import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { userList } from '../../shared/database/entities/user-list.ts';
import { readCursor, writeCursor } from '../../shared/http/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { countFitting } from '../../shared/runtime/response-size.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/list.ts';
import { listUsersRoute } from './routes.ts';
import { userAnswers } from './user-answer.ts';

export const handler = endpoint(
  listUsersRoute,
  { userList, signer, suppressions },
  async ({ userList, signer, caller, query, ...deps }) => {
    const scope = { signer, binding: ['listUsers', caller.accountId, caller.environmentId] };
    const cursor = query.cursor ?? query.nextToken;
    const after = cursor === undefined ? undefined : String(await readCursor(scope, cursor));
    const page = await userList.listNewestFirst(caller, { limit: query.limit ?? LIMIT_DEFAULT, after });
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
