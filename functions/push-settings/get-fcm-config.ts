import { pushSettings } from '../../shared/database/entities/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { getFcmConfigRoute } from './routes.ts';

export const handler = endpoint(getFcmConfigRoute, { pushSettings }, async ({ pushSettings, caller }) => ({
  fcmConfig: (await pushSettings.findFcm(caller.accountId)) ?? '',
}));
