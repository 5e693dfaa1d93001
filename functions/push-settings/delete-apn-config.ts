import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { deleteApnConfigRoute } from './routes.ts';

export const handler = endpoint(deleteApnConfigRoute, { pushSettings }, async ({ pushSettings, caller }) => {
  await pushSettings.deleteApn(caller.accountId);
  return undefined;
});
