import { inappItems } from '../../shared/database/entities/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { namedUser, userProblems } from './named-user.ts';
import { countUnreadInappRoute } from './routes.ts';

export const handler = endpoint(
  countUnreadInappRoute,
  { inappItems },
  async ({ inappItems, caller, request }) => ({
    count: await inappItems.countUnread(caller.environmentId, namedUser(caller), request.receivedAtMs),
  }),
  userProblems,
);
