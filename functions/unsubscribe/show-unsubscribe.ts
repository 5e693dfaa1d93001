import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { preferenceStore, preferredDelivery } from '../../shared/database/entities/users/preferences.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { unsubscribePage } from './page.ts';
import { readFacts, readLink, readRecipient } from './read-link.ts';
import { showUnsubscribeRoute } from './routes.ts';

export const handler = endpoint(
  showUnsubscribeRoute,
  { signer, accounts, notificationTypes, preferenceStore, erasureMarks, logs, users },
  async ({ preferenceStore, path, request, ...deps }) => {
    const link = await readLink(deps, path.token, request.receivedAtMs, true);
    const [facts, preferences, { language }] = await Promise.all([
      readFacts(deps, link),
      preferenceStore.find(link.environmentId, link.userId),
      readRecipient(deps, link, request.headers),
    ]);
    const { notificationId, subNotificationId, channel } = link;
    const isOff = preferredDelivery(preferences, notificationId, subNotificationId, channel) === 'off';
    const preferencesUrl = `../preferences/${path.token}`;
    return unsubscribePage(facts, isOff ? 'done' : 'ask', preferencesUrl, language);
  },
);
