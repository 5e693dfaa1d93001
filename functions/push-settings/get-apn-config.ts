import { pushSettings } from '../../shared/database/entities/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { getApnConfigRoute } from './routes.ts';

export const handler = endpoint(
  getApnConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller }) =>
    (await pushSettings.findApn(caller.accountId)) ?? { KeyId: '', Key: '', TeamId: '', Topic: '' },
);
