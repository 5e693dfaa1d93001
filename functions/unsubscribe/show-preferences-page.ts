import { accounts } from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { userErasures } from '../../shared/database/entities/user-erasures.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { choicesOf, preferencesPage } from './preferences-form.ts';
import { readLink } from './read-link.ts';
import { showPreferencesPageRoute } from './routes.ts';

export const handler = endpoint(
  showPreferencesPageRoute,
  { signer, accounts, notificationTypes, preferenceStore, logs, userErasures },
  async ({ accounts, notificationTypes, preferenceStore, path, request, ...deps }) => {
    const { accountId, environmentId, userId } = await readLink(deps, path.token, request.receivedAtMs);
    const [account, types, preferences] = await Promise.all([
      accounts.find(accountId),
      notificationTypes.listAll(environmentId),
      preferenceStore.find(environmentId, userId),
    ]);
    const brand = { accountName: account?.name ?? '', logo: account?.logo };
    return preferencesPage(brand, types, choicesOf(types, preferences), false);
  },
);
