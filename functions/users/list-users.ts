import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { userList } from '../../shared/database/entities/user-list.ts';
import { readCursor, writeCursor } from '../../shared/http/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
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
    return {
      users: await userAnswers(deps, page.users, caller),
      ...(page.nextPosition === undefined ? {} : { nextToken: await writeCursor(scope, page.nextPosition) }),
    };
  },
);
