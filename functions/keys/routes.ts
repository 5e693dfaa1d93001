import * as v from 'valibot';
import { ADMIN_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { ApiKey, KeyType, Scope } from '../../shared/schemas/account/api-key.ts';
import { filledTextUpTo, Id } from '../../shared/schemas/fields/text.ts';

const exampleKey = {
  id: 'hT3kP9sLq0ZxWvB1',
  key: 'nds_sk_q3Vb7Yx0KpLm2RtA_hT3kP9sLq0ZxWvB1_4fGh7JkLmNpQrStUvWxYz0123456789A',
  keyType: 'secret',
  accountId: 'q3Vb7Yx0KpLm2RtA',
  name: 'production server',
  revoked: false,
  scopes: ['send', 'read', 'manage'],
  issuedBy: 'm1Kx0Yz2Wv3Ut4Sr',
  createdAt: '2026-11-21T08:30:00.000Z',
};

export const listApiKeysRoute = route({
  id: 'listApiKeys',
  method: 'GET',
  path: '/keys',
  secrets: 'all',
  access: ADMIN_ACCESS,
  response: { kind: 'json', body: v.object({ keys: v.array(ApiKey) }) },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: 'List all API keys of the account',
  description: 'Returns full keys, so treat the list as sensitive.',
  example: { response: { keys: [exampleKey] } },
});

export const createApiKeyRoute = route({
  id: 'createApiKey',
  method: 'POST',
  path: '/keys',
  secrets: 'all',
  access: ADMIN_ACCESS,
  body: v.object({
    keyType: KeyType,
    environmentId: v.optional(Id),
    name: filledTextUpTo(128),
    scopes: v.optional(v.pipe(v.array(Scope), v.minLength(1, 'must have at least 1 entry'), v.maxLength(10))),
  }),
  idempotent: true,
  response: { kind: 'json', body: ApiKey },
  grants: { table: ['get', 'put', 'update', 'check'], keyring: ['decrypt'] },
  summary: 'Create an API key',
  description:
    'A secret key is for servers, a public key for browsers and apps. With environmentId, the key is valid in that environment only. Administrators only.',
  example: { request: { keyType: 'secret', name: 'production server' }, response: exampleKey },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const revokeApiKeyRoute = route({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
  secrets: 'all',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ keyId: Id }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'update', 'delete'], keyring: ['decrypt'] },
  summary: 'Revoke an API key',
  description: 'The key stops working immediately. Revoking a revoked key succeeds.',
  example: { response: { message: 'The key is revoked.' } },
  errors: ['RESOURCE_NOT_FOUND'],
});
