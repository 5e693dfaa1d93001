import { findMailDomain } from '../../shared/channels/email/mail-domain.ts';
import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../shared/database/entities/settings/domains.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { domainResponsesOf } from './domain-response.ts';
import { createDomainRoute } from './routes.ts';

export const handler = endpoint(
  createDomainRoute,
  { addresses, domains },
  async ({ addresses, domains, caller, body, request }) => {
    const { accountId } = caller;
    const isHeld =
      isOfTheService(body.sender) ||
      (await domains.start(accountId, body.sender, request.receivedAtMs)) === 'taken';
    if (isHeld) {
      throw new AppError('DUPLICATE_RESOURCE', {
        message: 'The domain is in use by another account or by the service itself.',
        fix: 'Use another domain, or a subdomain of your own.',
      });
    }
    return domainResponsesOf({ domains, addresses }, accountId);
  },
);

/** The service's mail domain is shared by all accounts. */
function isOfTheService(sender: string): boolean {
  const mailDomain = findMailDomain();
  return mailDomain !== undefined && (sender === mailDomain || sender.endsWith(`.${mailDomain}`));
}
