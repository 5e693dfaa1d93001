import * as v from 'valibot';
import { SERVER_ACCESS, USER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { filledTextUpTo, Id } from '../../shared/schemas/fields/text.ts';
import { Locale } from '../../shared/schemas/users/locale.ts';
import { PreferencesResponse } from '../../shared/schemas/users/preference.ts';

/** The maximum number of preferences in one request. */
const CHOICES_MAX = 100;

const Choice = v.object({
  notificationId: Id,
  subNotificationId: v.optional(Id),
  channel: Channel,
  delivery: DeliveryOption,
});

const exampleResponse = {
  preferences: [{ notificationId: 'comment', channel: 'EMAIL', delivery: 'daily' }],
  notifications: [
    {
      notificationId: 'comment',
      title: 'New comment',
      channels: ['EMAIL', 'INAPP_WEB'],
      options: {
        EMAIL: { defaultDeliveryOption: 'instant', daily: { enabled: true, hour: '08:00' } },
      },
    },
  ],
};

const row = {
  path: '/users/{userId}/preferences',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  cors: true,
} as const;

export const getPreferencesRoute = route({
  ...row,
  id: 'getPreferences',
  method: 'GET',
  query: v.object({ locale: v.optional(Locale) }),
  response: { kind: 'json', body: PreferencesResponse },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: "Get a user's preferences and options",
  description:
    "The list is empty for a user who has no preferences or does not exist yet. notifications has every type, by category. Titles and categories are in the user's language, unless locale sets another.",
  example: { response: exampleResponse },
});

export const savePreferencesRoute = route({
  ...row,
  id: 'savePreferences',
  method: 'POST',
  replaces: true,
  body: v.pipe(
    v.array(Choice),
    v.minLength(1, 'must have at least 1 entry'),
    v.maxLength(CHOICES_MAX, `must have at most ${CHOICES_MAX} entries`),
  ),
  response: { kind: 'json', body: PreferencesResponse },
  grants: { table: ['get', 'query', 'put', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: "Set some of a user's preferences",
  description:
    '1 to 100 choices; other preferences stay unchanged. delivery must be an option that the type enables on the channel; off and instant are enabled unless the type disables them. Creates a user who does not exist yet.',
  example: {
    request: [{ notificationId: 'comment', channel: 'EMAIL', delivery: 'daily' }],
    response: exampleResponse,
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const resetPreferencesRoute = route({
  ...row,
  id: 'resetPreferences',
  method: 'DELETE',
  query: v.object({ notificationId: v.optional(Id), subNotificationId: v.optional(Id) }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: "Reset a user's preferences",
  description:
    'With notificationId, only the choices for the type, including its sub-notifications. With subNotificationId as well, only the choices for that sub-notification. Without parameters: all.',
  example: { response: { message: 'The preferences are reset.' } },
});

const consentRow = {
  path: '/users/{userId}/consents',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id }),
} as const;

const consentOf = {
  purpose: v.optional(v.literal('marketing')),
  notificationId: v.optional(Id),
  subNotificationId: v.optional(Id),
  channel: Channel,
};

const exampleConsent = {
  purpose: 'marketing',
  channel: 'SMS',
  state: 'given',
  source: 'checkout form',
} as const;

export const listConsentsRoute = route({
  ...consentRow,
  id: 'listConsents',
  method: 'GET',
  query: v.object({ limit: v.optional(Limit), cursor: v.optional(v.string()) }),
  response: {
    kind: 'json',
    body: v.object({
      consents: v.array(
        v.object({
          ...consentOf,
          state: v.picklist(['given', 'withdrawn', 'reset']),
          delivery: v.optional(DeliveryOption),
          source: v.string(),
          actor: v.string(),
          createdAt: v.string(),
        }),
      ),
      nextCursor: v.optional(v.string()),
    }),
  },
  grants: { table: ['get', 'put', 'query', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: "List the history of a user's consent, newest first",
  description:
    'Every change of a preference by anyone, and every consent stated with POST. limit counts requests; a request that changed several choices has an entry for each of them. The history is deleted with the user.',
  example: {
    response: {
      consents: [
        {
          ...exampleConsent,
          delivery: 'instant',
          actor: 'key 9fK2LmN0pQrStUvW',
          createdAt: '2026-11-21T08:30:00.000Z',
        },
      ],
    },
  },
});

export const saveConsentRoute = route({
  ...consentRow,
  id: 'saveConsent',
  method: 'POST',
  replaces: true,
  body: v.object({
    ...consentOf,
    state: v.picklist(['given', 'withdrawn']),
    source: filledTextUpTo(256),
  }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'batchGet', 'put', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: "State a user's consent, or that they withdrew it",
  description:
    'For all marketing with purpose, or for one type. withdrawn turns it off for the user and, on EMAIL, for the address. given ends such an opt-out, which a preference does not: use it only if the person consented. Creates a user who does not exist yet.',
  example: { request: exampleConsent, response: { message: 'The consent is recorded.' } },
});
