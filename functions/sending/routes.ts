import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { FREE_PLAN_SETTINGS } from '../../shared/domain/costs/usage-caps.ts';
import { SENDER_SETTINGS } from '../../shared/domain/phone/sms-senders.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { type Route, route } from '../../shared/http/rows/route.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { MissingTranslation } from '../../shared/schemas/content/translations.ts';
import { BulkRejection } from '../../shared/schemas/fields/error.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { Routing, RoutingReason } from '../../shared/schemas/logs/log-record.ts';
import { DirectEmail, DirectSms, TestEmail } from '../../shared/schemas/sending/direct-send.ts';
import { TextFacts } from '../../shared/schemas/sending/phone-settings.ts';
import { SendRequest } from '../../shared/schemas/sending/send-request.ts';
import { Waiting } from '../../shared/schemas/sending/waiting.ts';
import { Locale } from '../../shared/schemas/users/locale.ts';

/** Grants for accepting a notification: table, keyring and blob store. */
export const ACCEPT_GRANTS = {
  table: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
  keyring: ['decrypt'],
  blobs: { read: LOG_FOLDERS, write: ['requests'] },
} as const satisfies Route['grants'];

/** Of a change that may leave a request behind. */
export const CHANGE_BLOBS = { ...ACCEPT_GRANTS.blobs, delete: ['requests'] } as const;

/** The response of every endpoint that accepts a notification. */
export const AcceptedResponse = v.object({
  trackingId: v.string(),
  messages: v.array(v.string()),
  waiting: v.optional(v.array(Waiting)),
});

/** The same with the routing; a dry run adds the content. */
export const SendResponse = v.object({
  ...AcceptedResponse.entries,
  topic: v.optional(v.object({ members: v.number(), sampleUserId: v.optional(v.string()) })),
  routing: v.optional(
    v.array(
      v.object({
        channel: Channel,
        routing: Routing,
        reason: v.optional(RoutingReason),
        dueAt: v.optional(v.string()),
        heldUntil: v.optional(v.string()),
        content: v.optional(v.record(v.string(), v.unknown())),
        missing: v.optional(v.array(v.string())),
        missingTranslations: v.optional(v.array(MissingTranslation)),
        locale: v.optional(v.string()),
        ...v.partial(TextFacts).entries,
      }),
    ),
  ),
});

const DRY_RUN = '?dryRun=true stores and sends nothing, and shows the content.';

/** Settings of every endpoint and worker that accepts a notification. */
export const ACCEPT_SETTINGS = [
  ...FREE_PLAN_SETTINGS,
  'PUBLIC_BASE_URL',
  'CHANNELS_OFF',
  ...SENDER_SETTINGS,
  'PHONE_PRICE_ESTIMATE_CENTS',
  'EMAIL_PROVIDER',
  'MAIL_DOMAIN',
  'SANDBOX_SENDERS',
  'EGRESS_ALLOW_HOSTS',
] as const;

const SendQuery = v.object({
  dryRun: v.optional(v.picklist(['true', 'false', '1', '0', ''])),
  locale: v.optional(Locale),
});

const sendRow = {
  method: 'POST',
  scope: 'send',
  access: SERVER_ACCESS,
  query: SendQuery,
  body: SendRequest,
  response: { kind: 'json', body: SendResponse },
  grants: ACCEPT_GRANTS,
  settings: ACCEPT_SETTINGS,
  idempotent: true,
  description: `Returns once the notification is stored. to.topic sends to every member in the background, each with a separate log. With Idempotency-Key, a duplicate within 24 hours sends nothing. ${DRY_RUN}`,
  example: {
    request: {
      type: 'welcome',
      to: { id: 'ada', email: 'ada@example.com' },
      parameters: { name: 'Ada' },
      email: { subject: 'Welcome {{ name }}', html: '<p>Hello {{ name }}</p>' },
    },
    response: {
      trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
      messages: ['SMS is not sent: the user has no phone number.'],
      routing: [
        { channel: 'EMAIL', routing: 'SEND' },
        { channel: 'SMS', routing: 'IGNORE', reason: 'NO_ADDRESS' },
      ],
    },
  },
  errors: [
    'MISSING_NOTIFICATION_TYPE',
    'MISSING_RECIPIENT',
    'INVALID_TEMPLATE',
    'INVALID_SCHEDULE_FORMAT',
    'IDEMPOTENCY_KEY_REUSED',
    'USAGE_LIMIT',
  ],
} as const satisfies Partial<Route>;

export const sendRoute = route({
  ...sendRow,
  id: 'send',
  path: '/send',
  summary: 'Send a notification to a user on all channels of its type',
});

export const senderRoute = route({
  ...sendRow,
  id: 'sender',
  path: '/sender',
  deprecated: { since: '2026-11-26T00:00:00Z', sunset: '2028-12-01T00:00:00Z', successor: '/send' },
  summary: 'Send a notification (the same as POST /send)',
});

export const resendLogRoute = route({
  id: 'resendLog',
  method: 'POST',
  path: '/logs/{trackingId}/resend',
  access: SERVER_ACCESS,
  scope: 'send',
  pathParameters: v.object({ trackingId: Id }),
  body: v.object({ channel: v.optional(Channel) }),
  response: {
    kind: 'json',
    body: v.object({
      resent: v.array(v.object({ channel: Channel, trackingId: v.string(), messages: v.array(v.string()) })),
    }),
  },
  grants: ACCEPT_GRANTS,
  settings: [...ACCEPT_SETTINGS, 'SMS_VALIDITY_SECONDS'],
  summary: 'Send again what failed of a notification',
  description:
    "Each channel that failed before it was sent becomes a new notification with the same request and the user's current data. Caps and preferences are evaluated again, deduplication is not. A text message keeps the rest of its validity. A repetition returns the same tracking IDs.",
  example: {
    request: { channel: 'EMAIL' },
    response: {
      resent: [{ channel: 'EMAIL', trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b12', messages: [] }],
    },
  },
  errors: ['RESOURCE_NOT_FOUND', 'USAGE_LIMIT'],
});

/** A body of POST /send, parsed separately from the others. */
export const BulkEntry = v.unknown();

export const sendBulkRoute = route({
  id: 'sendBulk',
  method: 'POST',
  path: '/send/bulk',
  scope: 'send',
  access: SERVER_ACCESS,
  query: SendQuery,
  body: v.object({
    notifications: v.pipe(
      v.array(BulkEntry),
      v.minLength(1, 'must have at least 1 entry'),
      v.maxLength(100, 'must have at most 100 entries'),
    ),
  }),
  response: {
    kind: 'json',
    body: v.object({
      results: v.array(v.union([SendResponse, BulkRejection])),
    }),
  },
  grants: { ...ACCEPT_GRANTS, table: [...ACCEPT_GRANTS.table, 'batchWrite'] },
  settings: ACCEPT_SETTINGS,
  idempotent: true,
  summary: 'Send up to 100 notifications',
  description: `results are in the order of the entries. An entry that is rejected does not affect the others. Each sees the types and contact data of those before it. With Idempotency-Key, a duplicate sends only entries that were rejected before. ${DRY_RUN}`,
  example: {
    request: {
      notifications: [
        { type: 'welcome', to: { id: 'ada' }, email: { subject: 'Welcome', html: '<p>Hello</p>' } },
        { type: 'welcome', email: { subject: 'Welcome', html: '<p>Hello</p>' } },
      ],
    },
    response: {
      results: [
        { trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11', messages: [] },
        {
          error: {
            code: 'MISSING_RECIPIENT',
            message: 'The recipient is missing from the request.',
            fix: 'Set to.id, to.email, to.number or to.topic.',
            errors: [
              { path: 'to', code: 'MISSING_RECIPIENT', message: 'must have id, email, number or topic' },
            ],
          },
        },
      ],
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'USAGE_LIMIT'],
});

const directErrors = [
  'INVALID_TEMPLATE',
  'INVALID_SCHEDULE_FORMAT',
  'IDEMPOTENCY_KEY_REUSED',
  'USAGE_LIMIT',
] as const;
const directResponse = { trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11', messages: [] };

export const sendEmailRoute = route({
  id: 'sendEmail',
  method: 'POST',
  path: '/email',
  scope: 'send',
  access: SERVER_ACCESS,
  body: DirectEmail,
  query: SendQuery,
  response: { kind: 'json', body: SendResponse },
  grants: ACCEPT_GRANTS,
  idempotent: true,
  summary: 'Send one email',
  description:
    'The same as POST /send with this content on EMAIL only; to is a user or an email address. Accepts ?dryRun=true.',
  example: {
    request: { type: 'receipt', to: 'ada@example.com', subject: 'Your receipt', html: '<p>Thank you.</p>' },
    response: directResponse,
  },
  errors: directErrors,
  settings: ACCEPT_SETTINGS,
});

export const sendSmsRoute = route({
  id: 'sendSms',
  method: 'POST',
  path: '/sms',
  scope: 'send',
  access: SERVER_ACCESS,
  body: DirectSms,
  query: SendQuery,
  response: { kind: 'json', body: SendResponse },
  grants: ACCEPT_GRANTS,
  idempotent: true,
  summary: 'Send one text message',
  description:
    'The same as POST /send with this content on SMS only; to is a user or a phone number. Accepts ?dryRun=true.',
  example: {
    request: { type: 'code', to: '+14155550123', message: 'Your code is 123456.' },
    response: directResponse,
  },
  errors: directErrors,
  settings: ACCEPT_SETTINGS,
});

export const sendTestEmailRoute = route({
  id: 'sendTestEmail',
  method: 'POST',
  path: '/sender/test/email',
  scope: 'send',
  access: SERVER_ACCESS,
  body: TestEmail,
  query: SendQuery,
  idempotent: true,
  response: { kind: 'json', body: SendResponse },
  grants: ACCEPT_GRANTS,
  summary: 'Send a test email of a notification type',
  description: 'Its log has test: true. Accepts ?dryRun=true, as POST /send does.',
  example: {
    request: {
      notificationId: 'welcome',
      to: 'me@example.com',
      subject: 'Welcome',
      html: '<p>Hello</p>',
      fromAddress: 'team@example.com',
      fromName: 'Team',
    },
    response: directResponse,
  },
  errors: directErrors,
  settings: ACCEPT_SETTINGS,
});

const ScheduledPath = v.object({ trackingId: v.string() });

export const rescheduleRoute = route({
  id: 'reschedule',
  method: 'PUT',
  path: '/sender/scheduler/{trackingId}',
  scope: 'send',
  access: SERVER_ACCESS,
  pathParameters: ScheduledPath,
  body: SendRequest,
  response: {
    kind: 'json',
    body: v.object({ message: v.string(), trackingId: v.string(), scheduledFor: v.string() }),
  },
  grants: { ...ACCEPT_GRANTS, blobs: CHANGE_BLOBS },
  settings: [...FREE_PLAN_SETTINGS, 'CHANNELS_OFF', ...SENDER_SETTINGS, 'EGRESS_ALLOW_HOSTS'],
  summary: 'Change the body or the time of a scheduled notification',
  description:
    'Top-level keys of the body replace the stored keys; without schedule, the time stays. A time in the past means now.',
  example: {
    request: { schedule: '2026-12-01T09:00:00Z' },
    response: {
      message: 'The scheduled notification is updated.',
      trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
      scheduledFor: '2026-12-01T09:00:00.000Z',
    },
  },
  errors: ['SCHEDULE_RESOURCE_NOT_FOUND', 'INVALID_SCHEDULE_FORMAT', 'INVALID_TEMPLATE'],
});

export const cancelScheduledRoute = route({
  id: 'cancelScheduled',
  method: 'DELETE',
  path: '/sender/scheduler/{trackingId}',
  scope: 'send',
  access: SERVER_ACCESS,
  pathParameters: ScheduledPath,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'batchGet', 'query', 'put', 'update'], blobs: CHANGE_BLOBS },
  summary: 'Cancel a scheduled notification, or the rest of one to a topic',
  description:
    'After a 200, the notification is never sent; repeating the request returns 200 again. For a topic whose members are being notified, messages that no provider has received yet are not sent either; members who were already notified keep their notification.',
  example: { response: { message: 'The scheduled notification is cancelled: nothing will be sent.' } },
  errors: ['SCHEDULE_RESOURCE_NOT_FOUND'],
});
