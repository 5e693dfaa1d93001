import { accounts } from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore, preferredDelivery } from '../../shared/database/entities/preferences.ts';
import { userErasures } from '../../shared/database/entities/user-erasures.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { unsubscribePage } from './page.ts';
import { factsOf, readLink } from './read-link.ts';
import { showUnsubscribeRoute } from './routes.ts';

export const handler = endpoint(
  showUnsubscribeRoute,
  { signer, accounts, notificationTypes, preferenceStore, userErasures, logs },
  async ({ preferenceStore, path, request, ...deps }) => {
    const link = await readLink(deps, path.token, request.receivedAtMs);
    const [facts, preferences] = await Promise.all([
      factsOf(deps, link),
      preferenceStore.find(link.environmentId, link.userId),
    ]);
    const { notificationId, subNotificationId, channel } = link;
    const isOff = preferredDelivery(preferences, notificationId, subNotificationId, channel) === 'off';
    return unsubscribePage(facts, isOff ? 'done' : 'ask', { preferences: `../preferences/${path.token}` });
  },
);
