import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { resetPreferencesRoute } from './routes.ts';

export const handler = endpoint(
  resetPreferencesRoute,
  { preferenceStore },
  async ({ preferenceStore, caller, path, query }) => {
    const { notificationId, subNotificationId } = query;
    await preferenceStore.reset(
      caller.environmentId,
      path.userId,
      (each) =>
        (notificationId === undefined || each.notificationId === notificationId) &&
        (subNotificationId === undefined || each.subNotificationId === subNotificationId),
    );
    return { message: 'The preferences are reset.' };
  },
  ({ query: { subNotificationId, notificationId } }) =>
    subNotificationId !== undefined && notificationId === undefined
      ? [{ where: 'query.notificationId', must: 'is required with subNotificationId' }]
      : [],
);
