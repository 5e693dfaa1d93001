import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import { secret } from '../../shared/schemas/account/secret.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { filledTextUpTo, Id, UrlText } from '../../shared/schemas/fields/text.ts';
import { RangeTime } from '../../shared/schemas/fields/time.ts';
import {
  CALL_OUTCOMES,
  MadeCall,
  WEBHOOK_EVENTS,
  WebhookAttempt,
  WebhookEvent,
} from '../../shared/schemas/logs/webhook.ts';

const SaveWebhook = v.object({
  webhook: filledTextUpTo(2048),
  events: v.pipe(
    v.array(WebhookEvent),
    v.minLength(1, 'must name at least one event'),
    v.maxLength(4 * WEBHOOK_EVENTS.length, `must have at most ${4 * WEBHOOK_EVENTS.length} entries`),
  ),
  rotateSecret: v.optional(v.boolean()),
});
const SavedWebhook = v.object({
  webhookId: v.string(),
  webhook: UrlText,
  events: v.array(WebhookEvent),
  secret: secret(v.string()),
});
const WebhookResponse = v.object({
  ...SavedWebhook.entries,
  disabled: v.boolean(),
  formerSecretUntil: v.optional(v.string()),
  disabledReason: v.optional(v.picklist(['gone', 'failing'])),
  attempts: v.array(WebhookAttempt),
});
const TestWebhook = v.object({ eventType: v.optional(WebhookEvent) });
const TestResponse = v.object({ webhookMessageId: v.string(), eventType: WebhookEvent });

const exampleWebhook = {
  webhookId: 'Q3x8ZkTn0aVb5LrM',
  webhook: 'https://shop.example/webhooks',
  events: ['EMAIL_FAILED', 'EMAIL_OPEN'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
const row = { access: SERVER_ACCESS, secrets: 'some' } as const;

export const saveEventWebhookRoute = route({
  ...row,
  id: 'saveEventWebhook',
  method: 'PUT',
  path: '/webhooks/events',
  body: SaveWebhook,
  idempotent: true,
  response: { kind: 'json', body: SavedWebhook },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  settings: ['EGRESS_ALLOW_HOSTS'],
  summary: 'Create or change the webhook of the environment',
  description:
    'Each event is sent as a POST of one flat JSON object, signed according to Standard Webhooks. A change keeps ID and secret and enables the webhook again. After rotateSecret, calls are signed with all secrets of the last 24 hours.',
  example: {
    request: { webhook: exampleWebhook.webhook, events: exampleWebhook.events },
    response: exampleWebhook,
  },
});

export const getEventWebhookRoute = route({
  ...row,
  id: 'getEventWebhook',
  method: 'GET',
  path: '/webhooks/events',
  response: { kind: 'json', body: WebhookResponse },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: 'Get the webhook of the environment with its last 20 attempts',
  description:
    'disabled is true after a response of 410 (disabledReason gone) or five days of failures only (failing); saving the webhook enables it. An attempt without a response has status 0 and an error. formerSecretUntil is present while calls are also signed with former secrets.',
  example: {
    response: {
      ...exampleWebhook,
      disabled: false,
      attempts: [
        {
          webhookMessageId: 'msg_6f1d1c5e-7d0a-8c57-9a43-0d9f1b7d5f10',
          eventType: 'EMAIL_OPEN',
          at: '2026-11-21T08:30:00.000Z',
          attempt: 1,
          status: 200,
          ms: 84,
        },
      ],
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteEventWebhookRoute = route({
  ...row,
  id: 'deleteEventWebhook',
  method: 'DELETE',
  path: '/webhooks/events',
  response: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  summary: 'Delete the webhook of the environment',
  description: 'Calls that wait for another attempt are not made.',
});

export const testEventWebhookRoute = route({
  ...row,
  id: 'testEventWebhook',
  method: 'POST',
  path: '/webhooks/events/test',
  body: TestWebhook,
  bodyOptional: true,
  response: { kind: 'json', body: TestResponse },
  grants: { table: ['get', 'update'], keyring: ['decrypt'], sendsTo: [WEBHOOK_QUEUE] },
  summary: 'Send a sample event to the webhook',
  description:
    'Signed and sent like any other event, once; GET /webhooks/events shows the outcome. Without eventType, the first event of the webhook is sent.',
  example: {
    request: { eventType: 'EMAIL_OPEN' },
    response: { webhookMessageId: 'msg_Q3x8ZkTn0aVb5LrM', eventType: 'EMAIL_OPEN' },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

const exampleCall = {
  callId: 'mi8d1a80.msg_6f1d1c5e-7d0a-8c57-9a43-0d9f1b7d5f10',
  webhookMessageId: 'msg_6f1d1c5e-7d0a-8c57-9a43-0d9f1b7d5f10',
  eventType: 'EMAIL_OPEN',
  trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
  at: '2026-11-21T08:30:00.000Z',
  outcome: 'failed',
  attempts: [{ attempt: 1, at: '2026-11-21T08:30:00.000Z', status: 503, ms: 84 }],
};

export const listWebhookCallsRoute = route({
  access: SERVER_ACCESS,
  id: 'listWebhookCalls',
  method: 'GET',
  path: '/webhooks/calls',
  query: v.object({
    event: v.optional(WebhookEvent),
    outcome: v.optional(v.picklist(CALL_OUTCOMES)),
    from: v.optional(RangeTime),
    to: v.optional(RangeTime),
    limit: v.optional(Limit),
    cursor: v.optional(v.string()),
  }),
  response: {
    kind: 'json',
    body: v.object({ calls: v.array(MadeCall), nextCursor: v.optional(v.string()) }),
  },
  grants: { table: ['get', 'put', 'query', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: "List the webhook's calls of the last 30 days with their attempts",
  description:
    'Newest first, by the time of the first attempt. A page reads a bounded number of calls: with filters, it may be empty and still have a nextCursor.',
  example: { response: { calls: [exampleCall] } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const resendWebhookCallRoute = route({
  access: SERVER_ACCESS,
  id: 'resendWebhookCall',
  method: 'POST',
  path: '/webhooks/calls/{callId}/resend',
  pathParameters: v.object({ callId: Id }),
  idempotent: true,
  response: { kind: 'json', body: TestResponse },
  grants: {
    table: ['get', 'query', 'update'],
    keyring: ['decrypt'],
    blobs: { read: LOG_FOLDERS },
    sendsTo: [WEBHOOK_QUEUE],
  },
  summary: 'Send an event to the webhook again',
  description:
    'One further attempt with the same webhook-id and body; the list of calls shows its outcome. A second request before the attempt is made has no effect. An event can be sent again as long as its log is kept, and an event about a user never.',
  example: { response: { webhookMessageId: exampleCall.webhookMessageId, eventType: 'EMAIL_OPEN' } },
  errors: ['RESOURCE_NOT_FOUND'],
});
