import { backendConnections } from '../../shared/database/entities/accounts/backend-connections.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { backendPlatform } from '../../shared/services/backend-platform/backend-platform.ts';
import { callConnected } from './connected.ts';
import { listBackendProjectsRoute } from './routes.ts';

export const handler = endpoint(
  listBackendProjectsRoute,
  { backendConnections, backendPlatform },
  async ({ backendConnections, backendPlatform, caller, request }) => ({
    projects: await callConnected(
      {
        backendConnections,
        backendPlatform,
        accountId: caller.accountId,
        nowMs: request.receivedAtMs,
      },
      (accessToken) => backendPlatform.listProjects(accessToken),
    ),
  }),
);
