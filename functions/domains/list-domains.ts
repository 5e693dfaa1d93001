import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../shared/database/entities/settings/domains.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { domainResponsesOf } from './domain-response.ts';
import { listDomainsRoute } from './routes.ts';

export const handler = endpoint(
  listDomainsRoute,
  { addresses, domains },
  async ({ addresses, domains, caller }) => domainResponsesOf({ domains, addresses }, caller.accountId),
);
