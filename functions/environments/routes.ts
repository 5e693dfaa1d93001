import * as v from 'valibot';
import { ADMIN_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { ChannelSet, EnvironmentResponse, OnlyTo } from '../../shared/schemas/account/environment.ts';
import { filledTextUpTo, Id } from '../../shared/schemas/fields/text.ts';
import { IsoTime } from '../../shared/schemas/fields/time.ts';

const exampleEnvironment = {
  clientId: 'x7Yb2Lm9QwErTyUi',
  clientSecret: 'k3JhG5fD7sA9pOiUyTrEwQ1zXcVbNm2LkJhGfDsA',
  title: 'Staging',
  disableSending: ['SMS', 'CALL'],
  secureMode: true,
  createTypes: true,
  onlyTo: [],
};

export const listEnvironmentsRoute = route({
  id: 'listEnvironments',
  method: 'GET',
  path: '/environments',
  secrets: 'all',
  access: ADMIN_ACCESS,
  response: { kind: 'json', body: v.object({ environments: v.array(EnvironmentResponse) }) },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: 'List the environments of the account, oldest first',
  description: 'Returns client secrets: treat the list as sensitive.',
  example: { response: { environments: [exampleEnvironment] } },
});

export const createEnvironmentRoute = route({
  id: 'createEnvironment',
  method: 'POST',
  path: '/environments',
  secrets: 'all',
  access: ADMIN_ACCESS,
  body: v.object({ title: filledTextUpTo(128), expiresAt: v.optional(IsoTime) }),
  idempotent: true,
  response: { kind: 'json', body: EnvironmentResponse },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create an environment',
  description:
    'Users, notification types, templates and logs belong to an environment. Two environments may have the same title: the client ID identifies them. A new environment is in secure mode. At expiresAt, it is removed as DELETE /environments/{clientId} does.',
  example: {
    request: { title: 'Staging' },
    response: { ...exampleEnvironment, disableSending: [] },
  },
});

export const updateEnvironmentRoute = route({
  id: 'updateEnvironment',
  method: 'PATCH',
  path: '/environments/{clientId}',
  secrets: 'all',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ clientId: Id }),
  body: v.object({
    title: v.optional(filledTextUpTo(128)),
    disableSending: v.optional(ChannelSet),
    secureMode: v.optional(v.boolean()),
    createTypes: v.optional(v.boolean()),
    onlyTo: v.optional(OnlyTo),
    resetSecret: v.optional(v.boolean()),
    resetVapidKey: v.optional(v.boolean()),
  }),
  idempotent: true,
  response: { kind: 'json', body: EnvironmentResponse },
  grants: {
    table: ['get', 'query', 'update', 'delete'],
    keyring: ['decrypt'],
    services: ['websocket-close'],
  },
  settings: ['WEBSOCKET_ENDPOINT'],
  summary: 'Change an environment',
  description:
    'Takes effect within three seconds. Turning secureMode on closes every open WebSocket of the environment; browsers reconnect with a valid hash. Administrators only.',
  example: { request: { disableSending: ['SMS', 'CALL'] }, response: exampleEnvironment },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteEnvironmentRoute = route({
  id: 'deleteEnvironment',
  method: 'DELETE',
  path: '/environments/{clientId}',
  secrets: 'all',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ clientId: Id }),
  response: { kind: 'json', body: v.object({ message: v.string(), clientId: v.string() }) },
  grants: { table: ['get', 'query', 'put', 'update', 'delete', 'check'] },
  summary: 'Remove an environment and everything in it',
  description:
    "Revokes the environment's keys and stops its sending before the response; the environment is not listed from then on. Its users, types, templates, logs and everything else are removed in the background, beginning two minutes later. The account's default environment cannot be removed. Its usage stays in the account's.",
  example: {
    response: { message: 'The environment is removed with everything in it.', clientId: 'x7Yb2Lm9QwErTyUi' },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});
