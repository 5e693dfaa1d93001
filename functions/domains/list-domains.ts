import { addresses } from '../../shared/database/entities/addresses.ts';
import { domains } from '../../shared/database/entities/domains.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { domainAnswersOf } from './domain-answer.ts';
import { listDomainsRoute } from './routes.ts';

export const handler = endpoint(
  listDomainsRoute,
  { addresses, domains },
  async ({ addresses, domains, caller }) => domainAnswersOf({ domains, addresses }, caller.accountId),
);
