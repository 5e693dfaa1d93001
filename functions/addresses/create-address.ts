import * as v from 'valibot';
import { findMailDomain } from '../../shared/channels/email/mail-domain.ts';
import { type AddressCreation, addresses } from '../../shared/database/entities/settings/addresses.ts';
import { type Domains, domains } from '../../shared/database/entities/settings/domains.ts';
import { isReservedPrefix } from '../../shared/domain/domains/address-prefix.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { AddressType } from '../../shared/schemas/domains/address.ts';
import { createAddressRoute } from './routes.ts';

export const handler = endpoint(
  createAddressRoute,
  { addresses, domains },
  async (input) => {
    const { addresses, domains, caller, body, request } = input;
    const { accountId, environmentId } = caller;
    const { prefix, displayName } = body;
    const place = await findPlace(domains, accountId, body);
    const creation = await addresses.create({
      accountId,
      environmentId,
      prefix,
      ...place,
      displayName,
      createdAt: isoOf(request.receivedAtMs),
      creation: creationOf(createAddressRoute, input),
    });
    if (creation.kind !== 'created') throw refusalOf(creation.kind);
    return { address: creation.address };
  },
  placeProblems,
);

/** Those of an address on the service's own domain. */
function placeProblems({ body }: RequestParts): Problem[] {
  const { domain, prefix } = fieldsOf(body);
  const { entries } = createAddressRoute.body;
  const name = v.safeParse(entries.prefix, prefix);
  const named = v.safeParse(entries.domain, domain);
  const mailDomain = findMailDomain();
  if (body === undefined || (domain !== undefined && named.output !== mailDomain)) return [];
  if (!mailDomain) {
    return [{ where: 'body.domain', must: 'is required: this deployment has no mail domain' }];
  }
  const isReserved = name.success && isReservedPrefix(name.output);
  const must = "must not be a reserved name of the service's domain";
  return isReserved ? [{ where: 'body.prefix', must }] : [];
}

async function findPlace(
  domains: Domains,
  accountId: string,
  { domain }: { domain?: string | undefined },
): Promise<{ domain: string; type: AddressType }> {
  const mailDomain = findMailDomain();
  if (domain === undefined || domain === mailDomain) {
    return { domain: mailDomain ?? '', type: 'builtin' };
  }
  const found = await domains.find(accountId, domain);
  if (found?.status !== 'SUCCESS') throw refusalOf('unverified');
  return { domain, type: 'custom' };
}

function refusalOf(kind: Exclude<AddressCreation['kind'], 'created'>): AppError {
  switch (kind) {
    case 'unverified':
      return new AppError('UNVERIFIED_SENDER', {
        message: 'The domain is not a verified domain of this account.',
        fix: 'POST /domains starts the verification of a domain, GET /domains shows its status.',
      });
    case 'second':
      return new AppError('DUPLICATE_RESOURCE', {
        message: "The account already has its address on the service's mail domain.",
        fix: 'GET /addresses lists it; addresses on your own verified domain are unlimited.',
      });
    case 'taken':
      return new AppError('DUPLICATE_RESOURCE', {
        message: 'The address is in use.',
        fix: 'Choose another prefix.',
      });
  }
}
