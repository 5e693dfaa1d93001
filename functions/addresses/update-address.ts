import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { findAddressPrefix } from '../../shared/domain/domains/address-prefix.ts';
import { findSenderDomain } from '../../shared/domain/domains/sender-domain.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { updateAddressRoute } from './routes.ts';

export const handler = endpoint(updateAddressRoute, { addresses }, async ({ addresses, caller, body }) => {
  const fullAddress = findFullAddress(body.fullAddress);
  const address = fullAddress && (await addresses.rename(caller.accountId, fullAddress, body.displayName));
  if (!address) {
    throw new AppError('RESOURCE_NOT_FOUND', {
      message: 'The address does not exist in this account.',
      fix: 'GET /addresses lists the addresses of the account.',
    });
  }
  return { address };
});

/** The address as it is stored; undefined if no address of the service can have this form. */
function findFullAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const prefix = findAddressPrefix(text.slice(0, Math.max(at, 0)));
  const domain = findSenderDomain(text.slice(at + 1));
  return prefix && domain ? `${prefix}@${domain}` : undefined;
}
