import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getFcmConfigRoute } from './routes.ts';

export const handler = endpoint(getFcmConfigRoute, { pushSettings }, async ({ pushSettings, caller }) => ({
  fcmConfig: (await pushSettings.findFcm(caller.accountId)) ?? '',
}));
