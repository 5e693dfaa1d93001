import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { namedUser, userProblems } from './named-user.ts';
import { countUnreadInappRoute } from './routes.ts';

export const handler = endpoint(
  countUnreadInappRoute,
  { inappItems },
  async ({ inappItems, caller, query, request }) => ({
    count: await inappItems.countUnread(caller.environmentId, namedUser(caller), {
      nowMs: request.receivedAtMs,
      subNotificationId: query.subNotificationId,
    }),
  }),
  userProblems,
);
