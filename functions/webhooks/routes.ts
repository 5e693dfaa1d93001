import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access.ts';
import { route } from '../../shared/http/route.ts';
import { WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import { secret } from '../../shared/schemas/secret.ts';
import { filledTextUpTo, UrlText } from '../../shared/schemas/text.ts';
import { WEBHOOK_EVENTS, WebhookAttempt, WebhookEvent } from '../../shared/schemas/webhook.ts';

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
const WebhookAnswer = v.object({
  ...SavedWebhook.entries,
  disabled: v.boolean(),
  formerSecretUntil: v.optional(v.string()),
  disabledReason: v.optional(v.picklist(['gone', 'failing'])),
  attempts: v.array(WebhookAttempt),
});
const TestWebhook = v.object({ eventType: v.optional(WebhookEvent) });
const TestAnswer = v.object({ webhookMessageId: v.string(), eventType: WebhookEvent });

const exampleWebhook = {
  webhookId: 'Q3x8ZkTn0aVb5LrM',
  webhook: 'https://shop.example/webhooks',
  events: ['EMAIL_FAILED', 'EMAIL_OPEN'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
const row = { resource: 'webhooks', access: SERVER_ACCESS, secrets: 'some' } as const;

export const saveEventWebhookRoute = route({
  ...row,
  id: 'saveEventWebhook',
  method: 'PUT',
  path: '/webhooks/events',
  body: SaveWebhook,
  idempotent: true,
  answer: { kind: 'json', body: SavedWebhook },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  settings: ['EGRESS_ALLOW_HOSTS'],
  summary: 'Create or change the webhook of the environment',
  description:
    'Each event is sent as a POST of one flat JSON object to the URL, signed according to Standard Webhooks. Changing the webhook keeps its ID and secret and enables it again. With rotateSecret true, it gets a new secret; every call is signed with all secrets of the last 24 hours, so that the receiver can switch. A repetition under the same idempotency key rotates once.',
  example: {
    request: { webhook: exampleWebhook.webhook, events: exampleWebhook.events },
    answer: exampleWebhook,
  },
});

export const getEventWebhookRoute = route({
  ...row,
  id: 'getEventWebhook',
  method: 'GET',
  path: '/webhooks/events',
  answer: { kind: 'json', body: WebhookAnswer },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: 'Get the webhook of the environment with its last 20 attempts',
  description:
    'disabled is true after a response of 410 (disabledReason gone) or five days of failures only (failing); saving the webhook enables it. An attempt without a response has status 0 and an error. formerSecretUntil is present while calls are also signed with former secrets.',
  example: {
    answer: {
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
  answer: { kind: 'empty' },
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
  answer: { kind: 'json', body: TestAnswer },
  grants: { table: ['get', 'update'], keyring: ['decrypt'], sendsTo: [WEBHOOK_QUEUE] },
  summary: 'Send a sample event to the webhook',
  description:
    'Signed and sent like any other event, once; GET /webhooks/events shows the outcome. Without eventType, the first event of the webhook is sent.',
  example: {
    request: { eventType: 'EMAIL_OPEN' },
    answer: { webhookMessageId: 'msg_Q3x8ZkTn0aVb5LrM', eventType: 'EMAIL_OPEN' },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const webhookRoutes = [
  saveEventWebhookRoute,
  getEventWebhookRoute,
  deleteEventWebhookRoute,
  testEventWebhookRoute,
];
