import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';
import { userAnswer } from './user-answer.ts';

export const handler = endpoint(
  getUserRoute,
  { users, suppressions },
  async ({ users, caller, path, ...deps }) => {
    const profile = await users.find(caller, path.userId);
    if (!profile) throw unknownUser();
    return userAnswer(deps, profile, caller);
  },
);
