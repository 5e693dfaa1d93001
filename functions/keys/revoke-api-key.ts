import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { revokeApiKeyRoute } from './routes.ts';

export const handler = endpoint(
  revokeApiKeyRoute,
  { apiKeys },
  async ({ apiKeys, caller, path, request }) => {
    const by = { memberId: caller.memberId, nowMs: request.receivedAtMs };
    if (!(await apiKeys.revoke(caller.accountId, path.keyId, by))) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The key does not exist in this account.',
        fix: 'GET /keys lists the keys of the account with their IDs.',
      });
    }
    return { message: 'The key is revoked.' };
  },
);
