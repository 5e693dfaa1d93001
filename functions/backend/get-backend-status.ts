import { backendConnections } from '../../shared/database/entities/accounts/backend-connections.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { getBackendStatusRoute } from './routes.ts';

export const handler = endpoint(
  getBackendStatusRoute,
  { backendConnections },
  async ({ backendConnections, caller }) => {
    const found = await backendConnections.find(caller.accountId);
    if (!found) return { connected: false };
    const { connectedAt, project } = found;
    return { connected: true, connectedAt, ...defined({ project }) };
  },
);
