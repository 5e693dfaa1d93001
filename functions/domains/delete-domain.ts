import { domains } from '../../shared/database/entities/settings/domains.ts';
import { findSenderDomain } from '../../shared/domain/domains/sender-domain.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { deleteDomainRoute } from './routes.ts';

export const handler = endpoint(
  deleteDomainRoute,
  { domains },
  async ({ domains, caller, path, request }) => {
    const sender = findSenderDomain(path.sender);
    const isDeleted = sender && (await domains.remove(caller.accountId, sender, request.receivedAtMs));
    if (!isDeleted) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The domain does not exist in this account.',
        fix: 'GET /domains lists the domains of the account.',
      });
    }
    return { message: 'The domain is deleted.' };
  },
);
