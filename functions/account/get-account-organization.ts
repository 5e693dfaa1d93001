import {
  organizationResponse,
  organizations,
} from '../../shared/database/entities/accounts/organizations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getAccountOrganizationRoute } from './routes.ts';

export const handler = endpoint(
  getAccountOrganizationRoute,
  { organizations },
  async ({ organizations, caller, request }) =>
    organizationResponse(await organizations.get(caller.accountId), request.receivedAtMs),
);
