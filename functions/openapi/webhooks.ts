import { defined } from '../../shared/runtime/defined.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { FAILURE_CODES } from '../../shared/schemas/failure-codes.ts';
import { findFieldText } from '../../shared/schemas/field-texts.ts';
import { InboundMessage } from '../../shared/schemas/inbound-message.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../shared/schemas/webhook.ts';
import { formatted } from './refine.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const HEADERS = [
  ['webhook-id', 'The ID of the event, the same on every attempt.'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970.'],
  ['webhook-signature', 'v1 signatures of Standard Webhooks, separated by spaces.'],
] as const;

/** Descriptions of the fields of an event; those of an inbound message have the texts of its record. */
const TEXTS: Readonly<Record<string, string>> = {
  eventType: 'The event.',
  channel: 'The channel of the message.',
  userId: 'The recipient of the message.',
  notificationId: 'The notification type.',
  trackingId: 'The ID of the notification, for its delivery log.',
  failureCode: 'Why the message failed.',
  recipient: 'The address, number or token for which it failed.',
  clickedLink: 'The URL of the clicked link.',
  clickedLinkTags: 'The tags of the clicked link, as JSON.',
  receivedAt: 'When the message was received.',
};

/** Not the tag of the webhook's own operations: generators write a file per tag, and one would replace the other. */
export const EVENTS_TAG = 'events';

/** The `webhooks` section: one entry for each event, with the schema of its body. */
export function webhooksOf(): Json {
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: operationOf(event) }]));
}

/** The bodies by the name of their schema, `EmailOpenEvent`. */
export function webhookSchemas(): Json {
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [schemaName(event), bodyOf(event)]));
}

const schemaName = (event: WebhookEvent) =>
  `${event.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

function operationOf(event: WebhookEvent): Json {
  return {
    operationId: `on${schemaName(event).replace(/Event$/, '')}`,
    tags: [EVENTS_TAG],
    summary: `The event ${event}`,
    description:
      'Signed according to Standard Webhooks. Ten attempts over three days; 410 disables the webhook.',
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: text,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName(event)}` } } },
    },
    responses: {
      '2XX': { description: 'The event is accepted.' },
      '4XX': { description: 'The event is sent again later; 410 disables the webhook.' },
    },
  };
}

function bodyOf(event: WebhookEvent): Json {
  const channel = CHANNELS.find((each) => event.startsWith(`${each}_`)) ?? 'EMAIL';
  const properties: Json = {
    eventType: { type: 'string', const: event },
    channel: { type: 'string', const: channel },
    userId: text,
    notificationId: text,
    trackingId: text,
    ...(event.endsWith('_FAILED')
      ? { failureCode: { type: 'string', enum: FAILURE_CODES[channel] }, recipient: text }
      : {}),
    ...defined({
      clickedLink: event === 'EMAIL_CLICK' ? text : undefined,
      clickedLinkTags: event === 'EMAIL_CLICK' ? text : undefined,
    }),
    ...(event.endsWith('_INBOUND') ? inbound() : {}),
  };
  return {
    type: 'object',
    description: `The body of the event ${event}. Later versions may add fields.`,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        formatted(name, {
          description: TEXTS[name] ?? findFieldText(InboundMessage, name),
          ...(schema as Json),
        }),
      ]),
    ),
    required: ['eventType', 'channel', 'userId', 'notificationId', 'trackingId'],
  };
}

function inbound(): Json {
  const texts = { type: 'array', items: text };
  const names = ['timestamp', 'inbox', 'from', 'fromName', 'subject', 'bodyText', 'bodyHtml', 'messageId'];
  return {
    ...Object.fromEntries([...names, 'inReplyTo', 'references', 'receivedAt'].map((name) => [name, text])),
    to: texts,
    cc: texts,
    replyTo: text,
    attachments: { type: 'array', items: { type: 'object' } },
    media: { type: 'array', items: { type: 'object' } },
  };
}
