import { backendConnections } from '../../shared/database/entities/accounts/backend-connections.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { backendPlatform } from '../../shared/services/backend-platform/backend-platform.ts';
import { disconnectBackendRoute } from './routes.ts';

export const handler = endpoint(
  disconnectBackendRoute,
  { backendConnections, backendPlatform },
  async ({ backendConnections, backendPlatform, caller }) => {
    const found = await backendConnections.find(caller.accountId);
    if (found) {
      await backendConnections.disconnect(caller.accountId);
      await backendPlatform.revoke(found.refreshToken);
    }
    return { success: true, message: 'The account is not connected.' };
  },
);
