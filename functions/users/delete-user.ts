import { userErasures } from '../../shared/database/entities/user-erasures.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deleteUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  deleteUserRoute,
  { userErasures },
  async ({ userErasures, caller, path, request }) => {
    const isErased = await userErasures.erase(caller.environmentId, path.userId, request.receivedAtMs);
    if (!isErased) throw unknownUser();
    return { message: 'The user and everything stored for them are deleted.' };
  },
);
