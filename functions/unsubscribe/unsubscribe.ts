import {
  accounts,
  RETENTION_DAYS_DEFAULT,
  retentionDaysOf,
} from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LOG_PREFIX } from '../../shared/schemas/channel.ts';
import { unsubscribePage } from './page.ts';
import { factsOf, readLink } from './read-link.ts';
import { unsubscribeRoute } from './routes.ts';

const DAY_SECONDS = 86_400;

export const handler = endpoint(
  unsubscribeRoute,
  { signer, accounts, notificationTypes, preferenceStore, logs },
  async ({ preferenceStore, logs, path, request, ...deps }) => {
    const link = await readLink(deps.signer, path.token);
    const { accountId, environmentId, userId, notificationId, subNotificationId, channel } = link;
    await preferenceStore.set(environmentId, userId, [
      { notificationId, ...(subNotificationId ? { subNotificationId } : {}), channel, delivery: 'off' },
    ]);
    const account = await deps.accounts.find(accountId);
    const days = account ? retentionDaysOf(account) : RETENTION_DAYS_DEFAULT;
    const atMs = request.receivedAtMs;
    // The owner is in the token: the notification's own log may have expired long ago.
    const expiresAtSeconds = Math.ceil(atMs / 1000) + Math.round(days * DAY_SECONDS);
    await logs.append(
      link.trackingId,
      { accountId, environmentId, userId, notificationId, expiresAtSeconds },
      { prefix: LOG_PREFIX[channel], stage: 'unsubscribe', atMs, fields: {} },
    );
    return unsubscribePage(await factsOf(deps, link), 'done');
  },
);
