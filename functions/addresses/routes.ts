import * as v from 'valibot';
import { ADDRESS_PREFIX_LENGTH_MAX, findAddressPrefix } from '../../shared/domain/domains/address-prefix.ts';
import { findSenderDomain } from '../../shared/domain/domains/sender-domain.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { Address } from '../../shared/schemas/domains/address.ts';
import { filledTextUpTo, textUpTo } from '../../shared/schemas/fields/text.ts';

const exampleAddress = {
  fullAddress: 'help@example.com',
  prefix: 'help',
  domain: 'example.com',
  type: 'custom',
  createdAt: '2026-11-21T08:30:00.000Z',
  displayName: 'Example Help',
};

const Prefix = v.pipe(
  v.string(),
  v.check(
    (value) => findAddressPrefix(value) !== undefined,
    `must be 1 to ${ADDRESS_PREFIX_LENGTH_MAX} letters a-z, digits, dots, underscores and hyphens, with dots only between other characters`,
  ),
  v.transform((value) => findAddressPrefix(value) ?? value),
);

const Domain = v.pipe(
  v.string(),
  v.check((value) => findSenderDomain(value) !== undefined, 'must be a domain, such as example.com'),
  v.transform((value) => findSenderDomain(value) ?? value),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a header
const CONTROL = /[\u0000-\u001f\u007f]/;
const DisplayName = v.pipe(
  filledTextUpTo(128),
  v.check((value) => !CONTROL.test(value) && value.isWellFormed(), 'must be text without control characters'),
);

const body = v.object({ address: Address });

export const listAddressesRoute = route({
  id: 'listAddresses',
  method: 'GET',
  path: '/addresses',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.object({ addresses: v.array(Address) }) },
  grants: { table: ['get', 'query', 'update'] },
  summary: 'List the email addresses of the account, oldest first',
  example: { response: { addresses: [exampleAddress] } },
});

export const createAddressRoute = route({
  id: 'createAddress',
  method: 'POST',
  path: '/addresses',
  access: SERVER_ACCESS,
  body: v.object({ prefix: Prefix, domain: v.optional(Domain), displayName: v.optional(DisplayName) }),
  idempotent: true,
  response: { kind: 'json', body },
  grants: { table: ['get', 'put', 'update', 'check'] },
  settings: ['MAIL_DOMAIN'],
  summary: 'Create an email address',
  description:
    "Without domain: the account's one address on the service's own mail domain. With domain: an address on a verified domain of the account. Email to it is received in the caller's environment.",
  example: {
    request: { prefix: 'help', domain: 'example.com', displayName: 'Example Help' },
    response: { address: exampleAddress },
  },
  errors: ['DUPLICATE_RESOURCE', 'UNVERIFIED_SENDER'],
});

export const updateAddressRoute = route({
  id: 'updateAddress',
  method: 'PATCH',
  path: '/addresses',
  access: SERVER_ACCESS,
  body: v.object({ fullAddress: textUpTo(320), displayName: v.nullable(DisplayName) }),
  response: { kind: 'json', body },
  grants: { table: ['get', 'update'] },
  summary: 'Set the display name of an email address',
  description: 'null removes it.',
  example: {
    request: { fullAddress: 'help@example.com', displayName: 'Example Help' },
    response: { address: exampleAddress },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});
