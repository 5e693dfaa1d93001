import { mailHosts } from '../../shared/channels/email/mail-domain.ts';
import { domains } from '../../shared/database/entities/domains.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { domainAnswerOf } from './domain-answer.ts';
import { listDomainsRoute } from './routes.ts';

export const handler = endpoint(listDomainsRoute, { domains }, async ({ domains, caller }) => {
  const hosts = mailHosts();
  return (await domains.listAll(caller.accountId)).map((domain) => domainAnswerOf(domain, hosts));
});
