import * as v from 'valibot';
import { ACCOUNT_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { ORDERED_CHANNELS } from '../../shared/providers/order/provider-order.ts';
import {
  ProviderOrderBody,
  ProviderOrderResponse,
  ProviderStatusResponse,
} from '../../shared/schemas/domains/provider-order.ts';

const PathParameters = v.object({
  channel: v.picklist(ORDERED_CHANNELS),
});

const row = {
  access: ACCOUNT_ACCESS,
  settings: ['EMAIL_PROVIDER', 'SMS_PROVIDER', 'CALL_PROVIDER'],
} as const;

export const getProviderStatusRoute = route({
  ...row,
  id: 'getProviderStatus',
  method: 'GET',
  etag: 'providers',
  path: '/status/providers',
  response: { kind: 'json', body: ProviderStatusResponse },
  grants: { table: ['get', 'query', 'update'] },
  summary: "Get the order and state of the account's providers",
  description:
    'Each provider with the state of its breaker. A provider that is alone has no breaker and stays closed.',
  example: {
    response: {
      channels: [
        {
          channel: 'EMAIL',
          ownOrder: false,
          order: [
            {
              provider: 'ses',
              own: false,
              state: 'open',
              openUntil: '2026-11-21T08:30:30.000Z',
              lastFailure: { at: '2026-11-21T08:30:00.000Z', reason: 'account' },
            },
            { provider: 'smtp', own: false, state: 'closed' },
          ],
        },
        {
          channel: 'SMS',
          ownOrder: true,
          order: [
            { provider: 'twilio:mine', own: true, state: 'closed' },
            { provider: 'telnyx', own: false, state: 'closed' },
          ],
        },
        { channel: 'CALL', ownOrder: false, order: [{ provider: 'aws', own: false, state: 'closed' }] },
      ],
    },
  },
});

export const saveProviderOrderRoute = route({
  ...row,
  id: 'saveProviderOrder',
  method: 'PUT',
  etag: 'providers',
  path: '/settings/providers/{channel}',
  pathParameters: PathParameters,
  body: ProviderOrderBody,
  response: { kind: 'json', body: ProviderOrderResponse },
  grants: { table: ['get', 'put', 'update', 'delete'], keyring: ['decrypt'] },
  settings: [...row.settings, 'EGRESS_ALLOW_HOSTS'],
  summary: "Set the account's own order of providers for a channel",
  description:
    "Replaces the deployment's order for this account within seconds. An entry is one of the deployment's providers, or one of the account's own with a name (twilio:mine) and credentials. A message whose outcome at a provider is unknown stays with that provider.",
  example: {
    request: {
      order: ['twilio:mine', 'telnyx'],
      credentials: {
        'twilio:mine': { accountSid: 'AC0123456789', authToken: 'secret', from: '+12025550100' },
      },
    },
    response: {
      channel: 'SMS',
      ownOrder: true,
      order: [
        { provider: 'twilio:mine', own: true },
        { provider: 'telnyx', own: false },
      ],
    },
  },
});

export const deleteProviderOrderRoute = route({
  ...row,
  id: 'deleteProviderOrder',
  method: 'DELETE',
  etag: 'providers',
  path: '/settings/providers/{channel}',
  pathParameters: PathParameters,
  response: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  settings: [],
  summary: "Restore the deployment's order of providers for a channel",
  description: "Deletes the account's own order and its credentials.",
});
