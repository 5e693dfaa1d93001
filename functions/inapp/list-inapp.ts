import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/fields/list.ts';
import { fitItems } from './fit-items.ts';
import { namedUser, userProblems } from './named-user.ts';
import { listInappRoute } from './routes.ts';

export const handler = endpoint(
  listInappRoute,
  { inappItems },
  async ({ inappItems, caller, query, request }) => ({
    notifications: fitItems(
      await inappItems.listNewestFirst(caller.environmentId, namedUser(caller), {
        count: query.count ?? LIMIT_DEFAULT,
        beforeMs: query.before,
        view: query.filter ?? (query.archived === 'false' ? 'inSight' : 'all'),
        nowMs: request.receivedAtMs,
        subNotificationId: query.subNotificationId,
      }),
      RESPONSE_BYTES_MAX,
    ),
  }),
  userProblems,
);
