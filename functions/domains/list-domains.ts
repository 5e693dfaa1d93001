import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../shared/database/entities/settings/domains.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { domainAnswersOf } from './domain-answer.ts';
import { listDomainsRoute } from './routes.ts';

export const handler = endpoint(
  listDomainsRoute,
  { addresses, domains },
  async ({ addresses, domains, caller }) => domainAnswersOf({ domains, addresses }, caller.accountId),
);
