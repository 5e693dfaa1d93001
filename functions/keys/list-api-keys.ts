import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listApiKeysRoute } from './routes.ts';

export const handler = endpoint(listApiKeysRoute, { apiKeys }, async ({ apiKeys, caller }) => ({
  keys: await apiKeys.listAll(caller.accountId),
}));
