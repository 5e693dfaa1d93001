import { consents } from '../../shared/database/entities/users/consents.ts';
import { preferenceStore } from '../../shared/database/entities/users/preferences.ts';
import { MARKETING } from '../../shared/domain/users/opt-outs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { actorOf } from './choose.ts';
import { resetPreferencesRoute } from './routes.ts';

export const handler = endpoint(
  resetPreferencesRoute,
  { consents, preferenceStore },
  async ({ consents, preferenceStore, caller, path, query, request }) => {
    const { notificationId, subNotificationId } = query;
    const removed = await preferenceStore.reset(
      caller.environmentId,
      path.userId,
      (each) =>
        each.notificationId !== MARKETING.notificationId &&
        (notificationId === undefined || each.notificationId === notificationId) &&
        (subNotificationId === undefined || each.subNotificationId === subNotificationId),
    );
    if (removed.length > 0) {
      const changes = removed.map(({ notificationId, subNotificationId, channel }) => ({
        ...{ notificationId, channel },
        ...defined({ subNotificationId }),
      }));
      const by = { source: 'api', actor: actorOf(caller), atMs: request.receivedAtMs };
      await consents.add(caller.environmentId, path.userId, { ...by, changes });
    }
    return { message: 'The preferences are reset.' };
  },
  ({ query: { subNotificationId, notificationId } }) =>
    subNotificationId !== undefined && notificationId === undefined
      ? [{ where: 'query.notificationId', must: 'is required with subNotificationId' }]
      : [],
);
