import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { getAccountMetadataRoute } from './routes.ts';

export const handler = endpoint(
  getAccountMetadataRoute,
  { accounts, environments },
  async ({ accounts, environments, caller }) => {
    const { accountId, environmentId } = caller;
    const [account, environment] = await Promise.all([
      accounts.get(accountId),
      environments.find(accountId, environmentId),
    ]);
    if (!environment) throw new AppError('UNAUTHORIZED');
    const { vapidPublicKey, disableSending } = environment;
    return {
      userAccountMetadata: {
        logo: account.logo ?? '',
        environmentVapidPublicKey: vapidPublicKey,
        hasWebPushEnabled: vapidPublicKey !== '' && !disableSending.includes('WEB_PUSH'),
      },
    };
  },
);
