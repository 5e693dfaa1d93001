import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getApnConfigRoute } from './routes.ts';

export const handler = endpoint(
  getApnConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller }) =>
    (await pushSettings.findApn(caller.accountId)) ?? { KeyId: '', Key: '', TeamId: '', Topic: '' },
);
