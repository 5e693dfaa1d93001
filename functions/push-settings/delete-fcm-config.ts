import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { deleteFcmConfigRoute } from './routes.ts';

export const handler = endpoint(deleteFcmConfigRoute, { pushSettings }, async ({ pushSettings, caller }) => {
  await pushSettings.deleteFcm(caller.accountId);
  return undefined;
});
