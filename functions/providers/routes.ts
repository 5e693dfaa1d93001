import * as v from 'valibot';
import { ACCOUNT_ACCESS } from '../../shared/http/access.ts';
import { route } from '../../shared/http/route.ts';
import { ORDERED_CHANNELS } from '../../shared/providers/provider-order.ts';
import {
  ProviderOrderAnswer,
  ProviderOrderBody,
  ProviderStatusAnswer,
} from '../../shared/schemas/provider-order.ts';

const PathParameters = v.object({
  channel: v.picklist(ORDERED_CHANNELS),
});

const row = {
  resource: 'providers',
  access: ACCOUNT_ACCESS,
  settings: ['EMAIL_PROVIDER', 'SMS_PROVIDER', 'CALL_PROVIDER'],
} as const;

export const getProviderStatusRoute = route({
  ...row,
  id: 'getProviderStatus',
  method: 'GET',
  path: '/status/providers',
  answer: { status: 200, body: ProviderStatusAnswer },
  grants: { table: ['get', 'query', 'update'] },
  summary: "Get the order of the account's providers and how each fares",
  description:
    'state is open while a provider is given nothing after certain failures in a row, probing when the next message is to try it, else closed. lastFailure is the last message that it certainly did not accept, of the last 15 days: unreachable, busy, unavailable, account or sender. A provider that is alone has no breaker and stays closed.',
  example: {
    answer: {
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
  path: '/settings/providers/{channel}',
  pathParameters: PathParameters,
  body: ProviderOrderBody,
  answer: { status: 200, body: ProviderOrderAnswer },
  grants: { table: ['get', 'put', 'update', 'delete'], keyring: ['encrypt', 'decrypt'] },
  summary: "Set the account's own order of providers for a channel",
  description:
    "Takes the place of the deployment's order for this account. An entry is one of the deployment's providers, or one of the account's own with a name (twilio:mine) and credentials: smtp {url}; twilio {accountSid, authToken, from or messagingServiceSid}; telnyx {apiKey, publicKey, from or messagingProfileId}, for calls {accountSid, applicationId, from} too. Credentials are stored encrypted and never returned; those of an entry that stays may be left out, those of an entry that goes are deleted. It holds within seconds. A message whose outcome at a provider is unknown stays with that provider.",
  example: {
    request: {
      order: ['twilio:mine', 'telnyx'],
      credentials: {
        'twilio:mine': { accountSid: 'AC0123456789', authToken: 'secret', from: '+12025550100' },
      },
    },
    answer: {
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
  path: '/settings/providers/{channel}',
  pathParameters: PathParameters,
  answer: { status: 204 },
  grants: { table: ['get', 'update', 'delete'] },
  settings: [],
  summary: "Go back to the deployment's order of providers for a channel",
  description: "Deletes the account's own order and its credentials.",
});

/** Orders of providers. */
export const providerRoutes = [getProviderStatusRoute, saveProviderOrderRoute, deleteProviderOrderRoute];
