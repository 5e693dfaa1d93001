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
  answer: { kind: 'json', body: ProviderStatusAnswer },
  grants: { table: ['get', 'query', 'update'] },
  summary: "Get the order and state of the account's providers",
  description:
    'state is open while a provider gets no messages after several certain failures in a row, probing if the next message is to try it, and closed otherwise. lastFailure is the last message within 15 days that the provider certainly did not accept, with the reason unreachable, busy, unavailable, account or sender. A single provider has no breaker and stays closed.',
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
  answer: { kind: 'json', body: ProviderOrderAnswer },
  grants: { table: ['get', 'put', 'update', 'delete'], keyring: ['decrypt'] },
  settings: [...row.settings, 'EGRESS_ALLOW_HOSTS'],
  summary: "Set the account's own order of providers for a channel",
  description:
    "Replaces the deployment's order for this account. An entry is one of the deployment's providers, or one of the account's own with a name (twilio:mine) and credentials: smtp {url}; twilio {accountSid, authToken, from or messagingServiceSid}; telnyx {apiKey, publicKey, from or messagingProfileId}, for calls {accountSid, applicationId, from} too. Credentials are stored encrypted and never returned. They may be omitted for entries that already have them, and are deleted with their entry. The change takes effect within seconds. A message whose outcome at a provider is unknown stays with that provider.",
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
  answer: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  settings: [],
  summary: "Restore the deployment's order of providers for a channel",
  description: "Deletes the account's own order and its credentials.",
});

/** Orders of providers. */
export const providerRoutes = [getProviderStatusRoute, saveProviderOrderRoute, deleteProviderOrderRoute];
