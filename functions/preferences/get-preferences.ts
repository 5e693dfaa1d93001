import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/users/preferences.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { preferencesResponse } from './preferences-response.ts';
import { getPreferencesRoute } from './routes.ts';

export const handler = endpoint(
  getPreferencesRoute,
  { preferenceStore, notificationTypes, users },
  async ({ preferenceStore, notificationTypes, users, caller, path, query }) => {
    const [preferences, types, locale] = await Promise.all([
      preferenceStore.find(caller.environmentId, path.userId),
      notificationTypes.listAll(caller.environmentId),
      query.locale ?? users.find(caller, path.userId).then((user) => user?.locale),
    ]);
    return preferencesResponse(preferences, types, locale);
  },
);
