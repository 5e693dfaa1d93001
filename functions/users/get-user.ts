import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';
import { userResponse } from './user-response.ts';

export const handler = endpoint(
  getUserRoute,
  { users, suppressions },
  async ({ users, caller, path, ...deps }) => {
    const profile = await users.find(caller, path.userId);
    if (!profile) throw unknownUser();
    return userResponse(deps, profile, caller);
  },
);
