import * as v from 'valibot';
import { ADMIN_ACCESS } from '../../shared/http/access.ts';
import { route } from '../../shared/http/route.ts';
import { ChannelSet, EnvironmentAnswer } from '../../shared/schemas/environment.ts';
import { filledTextUpTo, Id } from '../../shared/schemas/text.ts';

const exampleEnvironment = {
  clientId: 'x7Yb2Lm9QwErTyUi',
  clientSecret: 'k3JhG5fD7sA9pOiUyTrEwQ1zXcVbNm2LkJhGfDsA',
  title: 'Staging',
  disableSending: ['SMS', 'CALL'],
  secureMode: true,
};

export const listEnvironmentsRoute = route({
  id: 'listEnvironments',
  method: 'GET',
  path: '/environments',
  resource: 'environments',
  secrets: 'all',
  access: ADMIN_ACCESS,
  answer: { kind: 'json', body: v.object({ environments: v.array(EnvironmentAnswer) }) },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: 'List the environments of the account, oldest first',
  description: 'Returns client secrets: treat the list as sensitive.',
  example: { answer: { environments: [exampleEnvironment] } },
  errors: ['ADMIN_ONLY', 'FORBIDDEN_KEY_TYPE'],
});

export const createEnvironmentRoute = route({
  id: 'createEnvironment',
  method: 'POST',
  path: '/environments',
  resource: 'environments',
  secrets: 'all',
  access: ADMIN_ACCESS,
  body: v.object({ title: filledTextUpTo(128) }),
  idempotent: true,
  answer: { kind: 'json', body: EnvironmentAnswer },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create an environment',
  description:
    'Users, notification types, templates and logs belong to an environment. Two environments may have the same title: the client ID identifies them. A new environment is in secure mode.',
  example: {
    request: { title: 'Staging' },
    answer: { ...exampleEnvironment, disableSending: [] },
  },
  errors: ['ADMIN_ONLY', 'FORBIDDEN_KEY_TYPE'],
});

export const updateEnvironmentRoute = route({
  id: 'updateEnvironment',
  method: 'PATCH',
  path: '/environments/{clientId}',
  resource: 'environments',
  secrets: 'all',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ clientId: Id }),
  body: v.object({
    title: v.optional(filledTextUpTo(128)),
    disableSending: v.optional(ChannelSet),
    secureMode: v.optional(v.boolean()),
    resetSecret: v.optional(v.boolean()),
  }),
  idempotent: true,
  answer: { kind: 'json', body: EnvironmentAnswer },
  grants: {
    table: ['get', 'query', 'update', 'delete'],
    keyring: ['decrypt'],
    services: ['websocket-close'],
  },
  settings: ['WEBSOCKET_ENDPOINT'],
  summary: 'Change an environment',
  description:
    'disableSending replaces the list of channels on which the environment does not send; it applies to every send within three seconds. resetSecret creates a new client secret: user hashes made with the former one are accepted for 24 hours. Turning secureMode on closes every open WebSocket of the environment; browsers reconnect with a valid hash.',
  example: { request: { disableSending: ['SMS', 'CALL'] }, answer: exampleEnvironment },
  errors: ['ADMIN_ONLY', 'FORBIDDEN_KEY_TYPE', 'RESOURCE_NOT_FOUND'],
});

export const environmentRoutes = [listEnvironmentsRoute, createEnvironmentRoute, updateEnvironmentRoute];
