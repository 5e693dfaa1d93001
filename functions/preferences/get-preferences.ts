import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { preferencesAnswer } from './preferences-answer.ts';
import { getPreferencesRoute } from './routes.ts';

export const handler = endpoint(
  getPreferencesRoute,
  { preferenceStore, notificationTypes },
  async ({ preferenceStore, notificationTypes, caller, path }) => {
    const [preferences, types] = await Promise.all([
      preferenceStore.find(caller.environmentId, path.userId),
      notificationTypes.listAll(caller.environmentId),
    ]);
    return preferencesAnswer(preferences, types);
  },
);
