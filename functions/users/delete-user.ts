import { endpoint } from '../../shared/http/endpoint.ts';
import { eraseDependencies, eraseUser } from './erase-user.ts';
import { deleteUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  deleteUserRoute,
  eraseDependencies,
  async ({ caller, path, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const erasure = { accountId, environmentId, userId: path.userId, atMs: request.receivedAtMs };
    if (!(await eraseUser(deps, erasure))) throw unknownUser();
    return { message: 'The user and everything stored for them are deleted.' };
  },
);
