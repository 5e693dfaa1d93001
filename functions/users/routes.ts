import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { ACCOUNT_ACCESS, SERVER_ACCESS, USER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { EVENTS_QUEUE, WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import { Channel, ChannelText } from '../../shared/schemas/channel.ts';
import { DigestMode } from '../../shared/schemas/delivery/delivery-mode.ts';
import { StepCondition } from '../../shared/schemas/delivery/steps.ts';
import { BulkRejection } from '../../shared/schemas/fields/error.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { EmailAddress, FreeForm, filledTextUpTo, Id, textUpTo } from '../../shared/schemas/fields/text.ts';
import { HoldReason } from '../../shared/schemas/sending/waiting.ts';
import { EmailSuppressionStatus, User, UserChange } from '../../shared/schemas/users/user.ts';
import { FILE_BYTES_MAX, Offset } from '../logs/routes.ts';

const CHAT_SETTINGS = ['CHAT_PROVIDER', 'CHAT_BASE_URL', 'PROVIDER_TIMEOUT_MS'] as const;

/** A plus that is not percent-encoded is a space when it arrives, which no address starts with or contains. */
export const withPlus = (text: string) => {
  const end = text.lastIndexOf('@') + 1 || 1;
  return text.slice(0, end).replaceAll(' ', '+') + text.slice(end);
};

const exampleUser = {
  id: 'ada',
  email: 'ada@example.com',
  number: '+14155550123',
  timezone: 'Europe/London',
  attributes: { firstName: 'Ada', plan: 'pro' },
  lastSeenTime: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
  createdAt: '2026-11-21T08:30:00.000Z',
};

export const saveUserRoute = route({
  id: 'saveUser',
  method: 'POST',
  replaces: true,
  path: '/users/{userId}',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  body: UserChange,
  response: { kind: 'json', body: User },
  grants: { table: ['get', 'batchGet', 'put', 'update', 'delete'], keyring: ['decrypt'] },
  settings: ['EGRESS_ALLOW_HOSTS'],
  summary: 'Create or update a user',
  description:
    'Merges the given fields; an empty list or null clears. A push token or web push subscription belongs to the user who registered it last. Sets lastSeenTime.',
  example: {
    request: {
      email: 'ada@example.com',
      number: '+14155550123',
      timezone: 'Europe/London',
      attributes: exampleUser.attributes,
    },
    response: exampleUser,
  },
  cors: true,
});

/** An entry of POST /users: the body of POST /users/{userId} with the user's ID. */
export const NewUser = v.object({ ...UserChange.entries, id: Id });

/** Checked as a `NewUser`, separately from the others. */
export const UserEntry = v.unknown();

export const saveManyUsersRoute = route({
  id: 'saveManyUsers',
  method: 'POST',
  replaces: true,
  path: '/users',
  access: SERVER_ACCESS,
  body: v.object({
    users: v.pipe(
      v.array(UserEntry),
      v.minLength(1, 'must have at least 1 entry'),
      v.maxLength(100, 'must have at most 100 entries'),
    ),
  }),
  response: {
    kind: 'json',
    body: v.object({ results: v.array(v.union([v.object({ user: User }), BulkRejection])) }),
  },
  grants: { table: ['get', 'batchGet', 'put', 'update', 'delete'], keyring: ['decrypt'] },
  settings: ['EGRESS_ALLOW_HOSTS'],
  summary: 'Create or update up to 100 users',
  description:
    'Each entry is a body of POST /users/{userId} with id. results are in the order of the entries: the user, or the error of an entry that was rejected, which does not affect the others. Repeating the request changes nothing but lastSeenTime.',
  example: {
    request: {
      users: [
        { id: 'ada', email: 'ada@example.com' },
        { id: 'bob', number: '12' },
      ],
    },
    response: {
      results: [
        { user: { id: 'ada', email: 'ada@example.com' } },
        {
          error: {
            code: 'INVALID_REQUEST',
            message: 'body.users[1].number must be a possible phone number, such as +14155550123.',
            fix: 'Change the fields that the message names.',
            errors: [
              {
                path: 'users[1].number',
                code: 'INVALID',
                message: 'must be a possible phone number, such as +14155550123',
              },
            ],
          },
        },
      ],
    },
  },
});

export const getUserRoute = route({
  id: 'getUser',
  method: 'GET',
  path: '/users/{userId}',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  response: { kind: 'json', body: User },
  grants: { table: ['get', 'batchGet', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Get a user',
  description: 'Chat tokens are returned to secret keys only.',
  example: { response: exampleUser },
  errors: ['RESOURCE_NOT_FOUND'],
  cors: true,
});

export const listUsersRoute = route({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  access: SERVER_ACCESS,
  query: v.object({
    limit: v.optional(Limit),
    cursor: v.optional(v.string()),
    nextToken: v.optional(v.string()),
    email: v.optional(v.pipe(v.string(), v.transform(withPlus), EmailAddress)),
    number: v.optional(v.pipe(textUpTo(40), v.transform(withPlus))),
    prefix: v.optional(filledTextUpTo(256)),
  }),
  response: { kind: 'json', body: v.object({ users: v.array(User), nextToken: v.optional(v.string()) }) },
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update'],
    indexes: ['feed'],
    keyring: ['encrypt', 'decrypt'],
  },
  summary: 'List or look up the users of the environment',
  description:
    'Newest first. Send at most one of email, number and prefix: they find users by address or by the beginning of their ID.',
  example: { response: { users: [exampleUser] } },
});

/** What routes need that erase a person. */
const ERASING = {
  grants: {
    table: ['get', 'batchGet', 'put', 'update', 'query', 'delete'],
    indexes: ['feed'],
    keyring: ['encrypt', 'decrypt'],
    services: ['websocket-close'],
    blobs: {
      read: LOG_FOLDERS,
      write: ['requests'],
      delete: ['requests', 'digests', 'attachments', 'exports'],
      list: LOG_FOLDERS,
    },
    sendsTo: [WEBHOOK_QUEUE, EVENTS_QUEUE],
  },
  settings: ['WEBSOCKET_ENDPOINT', 'EVENT_BUS'],
} as const;

export const deleteUserRoute = route({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/users/{userId}',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  response: {
    kind: 'json',
    body: v.object({
      message: v.string(),
      erasure: v.object({ state: v.picklist(['running', 'done']), erasedLogs: v.number() }),
    }),
  },
  ...ERASING,
  summary: 'Delete a user and erase them from the logs of the environment',
  description:
    'Deletes the user and whatever waits for them, then erases the person from the logs of the environment in the background. Anonymous records remain, so that counts stay correct. Opt-outs and suppressions remain, which protect the person. Repeat the request to see the progress.',
  example: {
    response: {
      message: 'The user is deleted and erased from the logs of this environment.',
      erasure: { state: 'done', erasedLogs: 12 },
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

const ErasureProgress = {
  state: v.picklist(['running', 'done']),
  erasedLogs: v.number(),
};

export const createErasureRoute = route({
  id: 'createErasure',
  method: 'POST',
  replaces: true,
  path: '/erasures',
  access: SERVER_ACCESS,
  body: v.object({
    userId: v.optional(Id),
    email: v.optional(EmailAddress),
    number: v.optional(filledTextUpTo(64)),
  }),
  response: {
    kind: 'json',
    body: v.object({
      erasures: v.array(v.object({ environmentId: v.string(), userId: v.string(), ...ErasureProgress })),
      notCovered: v.array(v.string()),
    }),
  },
  ...ERASING,
  summary: 'Erase a person by ID, email address or number, in every environment',
  description:
    'As DELETE /users/{userId}, in every environment that the credential reaches: userId, every user who has the address, what was sent to it alone or when another user had it, and messages that somebody sent from it without being a user. Repeat the request to see the progress.',
  example: {
    request: { email: 'ada@example.com' },
    response: {
      erasures: [{ environmentId: 'x7Yc2LmN0pQrStUv', userId: 'ada', state: 'done', erasedLogs: 12 }],
      notCovered: ['backups of the table and messages in dead-letter queues, until they expire'],
    },
  },
});

export const listErasuresRoute = route({
  id: 'listErasures',
  method: 'GET',
  path: '/erasures',
  access: SERVER_ACCESS,
  query: v.object({ limit: v.optional(Limit), cursor: v.optional(v.string()) }),
  response: {
    kind: 'json',
    body: v.object({
      erasures: v.array(
        v.object({
          person: v.string(),
          environmentId: v.string(),
          askedBy: v.string(),
          requestedAt: v.string(),
          finishedAt: v.string(),
          erasedLogs: v.number(),
          kept: v.array(v.string()),
        }),
      ),
      nextCursor: v.optional(v.string()),
    }),
  },
  grants: { table: ['get', 'put', 'query', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: 'List the receipts of finished erasures, newest first',
  description:
    'Receipts are kept for 400 days. person is a hash that only this deployment can compute: it is the same for each erasure of a user.',
  example: {
    response: {
      erasures: [
        {
          person: 'hG3kP9sLq0ZxWvB1hT3kP9sLq0ZxWvB1hT3kP9sLq0Z',
          environmentId: 'x7Yc2LmN0pQrStUv',
          askedBy: 'key 9fK2LmN0pQrStUvW',
          requestedAt: '2026-11-21T08:30:00.000Z',
          finishedAt: '2026-11-21T08:32:00.000Z',
          erasedLogs: 12,
          kept: ['anonymous records with routing, codes and times, so that counts stay correct'],
        },
      ],
    },
  },
});

const ExportResponse = v.object({
  state: v.picklist(['running', 'ready']),
  requestedAt: v.string(),
  readyAt: v.optional(v.string()),
  expiresAt: v.optional(v.string()),
  sizeBytes: v.optional(v.pipe(v.number(), v.integer())),
  url: v.optional(v.string()),
});
const exportRow = {
  path: '/users/{userId}/export',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  response: { kind: 'json', body: ExportResponse },
  example: {
    response: {
      state: 'ready',
      requestedAt: '2026-11-21T08:30:00.000Z',
      readyAt: '2026-11-21T08:30:01.000Z',
      expiresAt: '2026-11-28T08:30:00.000Z',
      sizeBytes: 18204,
      url: 'https://api.example.com/exports/WyIiLCJFWFBPUlQjIl0.3q2-7w',
    },
  },
  settings: ['PUBLIC_BASE_URL'],
} as const;

export const createExportRoute = route({
  ...exportRow,
  id: 'createExport',
  method: 'POST',
  bodyOptional: true,
  body: v.object({}),
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
    indexes: ['feed'],
    keyring: ['encrypt', 'decrypt'],
    blobs: { read: ['requests', 'digests', 'attachments'], write: ['exports'], delete: ['exports'] },
    sendsTo: [WEBHOOK_QUEUE, EVENTS_QUEUE],
  },
  settings: ['PUBLIC_BASE_URL', 'EVENT_BUS'],
  summary: 'Export everything that is stored about a person',
  description:
    'One file of JSON lines with everything that an erasure would reach. For an address, of every user who has it, in every environment that the credential reaches. The event USER_EXPORTED reports that it is ready. A repetition replaces an export that is ready.',
});

export const getExportRoute = route({
  ...exportRow,
  id: 'getExport',
  method: 'GET',
  grants: { table: ['get', 'put', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: 'Get the state and the link of an export',
  description: 'The link is there once the state is ready. The export ends seven days after its request.',
  errors: ['RESOURCE_NOT_FOUND'],
});

export const downloadExportRoute = route({
  id: 'downloadExport',
  method: 'GET',
  path: '/exports/{token}',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(1024) }),
  query: v.object({ offset: v.optional(Offset) }),
  response: { kind: 'file', mediaType: 'application/x-ndjson' },
  grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'], blobs: { read: ['exports'] } },
  summary: 'Download an export with its link',
  description: `At most ${FILE_BYTES_MAX} bytes from offset; the header content-range names the whole.`,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const suppressUserRoute = route({
  id: 'suppressUser',
  method: 'PUT',
  path: '/user_suppression/{userId}/channel/{channel}',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id, channel: ChannelText }),
  body: v.object({
    reason: v.optional(EmailSuppressionStatus.entries.reason),
    details: v.optional(FreeForm),
  }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'batchGet', 'put', 'update'], keyring: ['decrypt'] },
  summary: "Suppress a user's email",
  description:
    'Nothing is sent to the address until DELETE lifts the suppression, for every user who has it. Use it for addresses that another service suppressed. The first reason is kept. Only EMAIL has suppressions.',
  example: {
    request: { reason: 'Complaint', details: { source: 'pinpoint' } },
    response: { message: "The user's email is suppressed." },
  },
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_CHANNEL'],
});

export const liftSuppressionRoute = route({
  id: 'liftSuppression',
  method: 'DELETE',
  path: '/user_suppression/{userId}/channel/{channel}',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id, channel: ChannelText }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: {
    table: ['get', 'batchGet', 'put', 'update', 'delete'],
    keyring: ['decrypt'],
    services: ['suppression-list'],
  },
  summary: "Lift the suppression of a user's email",
  description:
    'After a bounce or complaint, nothing is sent to the address, for every user who has it, until this is called. Only EMAIL has suppressions. For an address that is not suppressed, the request has no effect.',
  example: { response: { message: "The user's email is no longer suppressed." } },
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_CHANNEL', 'PROVIDER_ERROR'],
  settings: ['EMAIL_PROVIDER'],
});

const SuppressedAddress = v.object({ channel: v.string(), address: EmailAddress });

export const listSuppressionsRoute = route({
  id: 'listSuppressions',
  method: 'GET',
  path: '/suppressions',
  access: ACCOUNT_ACCESS,
  query: v.object({
    limit: v.optional(Limit),
    cursor: v.optional(v.string()),
    channel: v.optional(v.picklist(['EMAIL'])),
    reason: v.optional(EmailSuppressionStatus.entries.reason),
    address: v.optional(v.pipe(v.string(), v.transform(withPlus), EmailAddress)),
  }),
  response: {
    kind: 'json',
    body: v.object({
      suppressions: v.array(
        v.object({
          channel: v.string(),
          address: v.string(),
          reason: EmailSuppressionStatus.entries.reason,
          createdAt: v.optional(v.string()),
          detail: v.record(v.string(), v.unknown()),
        }),
      ),
      nextCursor: v.optional(v.string()),
    }),
  },
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update'],
    indexes: ['feed'],
    keyring: ['encrypt', 'decrypt'],
  },
  summary: "List or look up the account's suppressed addresses",
  description:
    'Newest first, of every environment. With reason, a page may be short or empty and still have a nextCursor. address finds the suppression of one address, also of an erased person; the list has only addresses that are stored in clear. detail has kinds and codes that the server stated, never its words.',
  example: {
    response: {
      suppressions: [
        {
          channel: 'EMAIL',
          address: 'ada@example.com',
          reason: 'Bounce',
          createdAt: '2026-11-21T08:30:00.000Z',
          detail: { bounceType: 'Permanent', bounceSubType: 'NoEmail', status: '5.1.1' },
        },
      ],
    },
  },
});

export const suppressAddressRoute = route({
  id: 'suppressAddress',
  method: 'PUT',
  path: '/suppressions/{channel}/{address}',
  access: ACCOUNT_ACCESS,
  pathParameters: SuppressedAddress,
  body: v.object({ reason: v.optional(EmailSuppressionStatus.entries.reason) }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'batchGet', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Suppress an address',
  description:
    'Stops sending to the address until DELETE lifts the suppression, even if no user has it. The first reason is kept. reason is Complaint by default. Only EMAIL has suppressions.',
  example: { request: { reason: 'Bounce' }, response: { message: 'The address is suppressed.' } },
  errors: ['INVALID_CHANNEL'],
});

export const liftAddressRoute = route({
  id: 'liftAddress',
  method: 'DELETE',
  path: '/suppressions/{channel}/{address}',
  access: ACCOUNT_ACCESS,
  pathParameters: SuppressedAddress,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: liftSuppressionRoute.grants,
  summary: 'Lift the suppression of an address',
  description:
    "Emails to the address are sent again, for every user who has it. SES's own list drops it too. For an address that is not suppressed, the request has no effect.",
  example: { response: { message: 'The address is no longer suppressed.' } },
  errors: ['INVALID_CHANNEL', 'PROVIDER_ERROR'],
  settings: ['EMAIL_PROVIDER'],
});

export const connectChatRoute = route({
  id: 'connectChat',
  method: 'POST',
  replaces: true,
  path: '/users/{userId}/chat-oauth',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  body: v.object({ code: filledTextUpTo(2048), redirect_uri: filledTextUpTo(2048) }),
  response: { kind: 'json', body: v.object({ success: v.boolean(), message: v.string() }) },
  grants: {
    table: ['get', 'batchGet', 'put', 'update'],
    keyring: ['decrypt'],
    services: ['secrets'],
  },
  summary: 'Connect a user to the chat provider',
  description: 'Exchanges the authorization code for the chat token and stores it on the user.',
  example: {
    request: { code: '4715.9082.a1b2', redirect_uri: 'https://app.example.com/chat/connected' },
    response: { success: true, message: 'The user is connected to the chat provider.' },
  },
  errors: ['PROVIDER_ERROR'],
  settings: CHAT_SETTINGS,
  cors: true,
});

export const removeDeviceRoute = route({
  id: 'removeDevice',
  method: 'DELETE',
  path: '/users/{userId}/devices/{device}',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id, device: filledTextUpTo(4096) }),
  response: { kind: 'empty' },
  grants: { table: ['get', 'batchGet', 'put', 'update', 'delete'], keyring: ['decrypt'] },
  summary: 'Remove a device of a user',
  description:
    'For logging out: the user gets no more notifications on this device. The device is a push token, or the endpoint of a web push subscription, which the path has as ~ and its base64url. For a device that the user does not have, the request has no effect.',
  errors: ['RESOURCE_NOT_FOUND'],
  cors: true,
});

export const listChatChannelsRoute = route({
  id: 'listChatChannels',
  method: 'GET',
  path: '/users/{userId}/chat-channels',
  access: USER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  response: {
    kind: 'json',
    body: v.object({
      channels: v.array(
        v.object({ id: v.string(), name: v.string(), isPrivate: v.boolean(), isMember: v.boolean() }),
      ),
    }),
  },
  grants: {
    table: ['get', 'batchGet', 'put', 'update', 'delete'],
    keyring: ['decrypt'],
    services: ['secrets'],
  },
  summary: "List the channels of a user's chat workspace",
  description: 'isMember shows whether the app is in the channel. Save one of the IDs as chatChannel.',
  example: {
    response: { channels: [{ id: 'C0GENERAL', name: 'general', isPrivate: false, isMember: true }] },
  },
  errors: ['NOT_CONNECTED', 'PROVIDER_ERROR'],
  settings: CHAT_SETTINGS,
  cors: true,
});

export const listWaitingRoute = route({
  id: 'listWaiting',
  method: 'GET',
  path: '/users/{userId}/waiting',
  access: SERVER_ACCESS,
  pathParameters: v.object({ userId: Id }),
  response: {
    kind: 'json',
    body: v.object({
      scheduled: v.array(v.object({ trackingId: v.string(), type: v.string(), scheduledFor: v.string() })),
      digests: v.array(
        v.object({
          type: v.string(),
          channel: Channel,
          delivery: DigestMode,
          sendAt: v.string(),
          trackingIds: v.array(v.string()),
        }),
      ),
      held: v.array(
        v.object({
          trackingId: v.string(),
          type: v.string(),
          channel: Channel,
          reason: HoldReason,
          heldUntil: v.string(),
        }),
      ),
      steps: v.array(
        v.object({
          trackingId: v.string(),
          type: v.string(),
          channel: Channel,
          when: StepCondition,
          dueAt: v.string(),
        }),
      ),
    }),
  },
  grants: { table: ['get', 'query', 'update'], indexes: ['due'], blobs: { read: LOG_FOLDERS } },
  summary: "List a user's waiting messages: scheduled, collected in digests, held, and later steps",
  description: 'Earliest first. The lists are empty if the user does not exist or has no waiting messages.',
  example: {
    response: {
      scheduled: [
        {
          trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
          type: 'reminder',
          scheduledFor: '2026-11-22T08:00:00.000Z',
        },
      ],
      digests: [],
      held: [],
      steps: [],
    },
  },
});
