import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import type { EventItem } from '../../../../shared/database/entities/logs/log-items.ts';
import { userEventBody, withHeadFields } from '../../../../shared/domain/logs/webhook-event.ts';
import type { InboundMessage } from '../../../../shared/schemas/logs/inbound-message.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';
import {
  channelOfEvent,
  isUserEvent,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../../../shared/schemas/logs/webhook.ts';

const FILE = resolve(import.meta.dirname, '../../../../docs/openapi.json');
const { webhooks, components } = JSON.parse(readFileSync(FILE, 'utf8'), withoutOthers);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components });

/** A property that the document does not have fails. */
function withoutOthers(_key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value;
  return isObject && 'type' in value ? { ...value, additionalProperties: false } : value;
}

const STAGES: Readonly<Record<string, Stage>> = { OPEN: 'opened', CLICK: 'clicked' };
const MESSAGE: InboundMessage = {
  trackingId: 'other',
  eventType: 'inbound',
  timestamp: '2026-11-21T08:30:00.000Z',
  epochMs: 1_795_249_800_000,
  inbox: 'shop@example.com',
  from: 'bob@example.com',
  fromName: 'Bob',
  subject: 'Re: your order',
  to: ['shop@example.com'],
  cc: ['eve@example.com'],
  bcc: [],
  replyTo: 'bob@example.org',
  bodyText: 'Thanks',
  bodyHtml: '<p>Thanks</p>',
  attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 9, contentId: 'one' }],
  media: [{ url: 'https://example.com/a.png', contentType: 'image/png' }],
  cut: ['bodyHtml'],
  messageId: '<1@example.com>',
  inReplyTo: '<0@example.com>',
  references: '<0@example.com>',
  resolutionType: 'reply',
};

const AT = '2026-11-21T08:30:00.000Z';
const OF_USERS = {
  USER_ERASED: { finishedAt: AT, erasedLogs: 1, person: 'hash' },
  USER_EXPORTED: { readyAt: AT, expiresAt: AT },
};

const metadata = { orderId: '7' };
const fieldsOf = (event: WebhookEvent) =>
  event === 'NOTIFICATION_ACCEPTED' ? { metadata } : { trackingIds: ['t2', 't3'], metadata };

function bodyOf(event: WebhookEvent): string {
  if (isUserEvent(event))
    return userEventBody(
      { eventType: event, userId: 'ada', requestedAt: AT, ...OF_USERS[event] } as never,
      'msg_1',
      1_795_249_800_000,
    );
  if (event === 'NOTIFICATION_ACCEPTED') return acceptedBody();
  const channel = channelOfEvent(event);
  const suffix = event.slice(channel.length + 1);
  const [call] = raisedCallsOf({
    kind: 'event',
    trackingId: 't1',
    accountId: 'account-1',
    environmentId: 'environment-1',
    userId: 'ada',
    notificationId: 'welcome',
    channel,
    stage: STAGES[suffix] ?? (event === 'NOTIFICATION_NOT_SENT' ? 'withheld' : suffix.toLowerCase()),
    atMs: 1_795_249_800_000,
    fields: {
      email_failed_code: 'UNDETERMINED_BOUNCE',
      ...(channel === 'EMAIL' ? { email_failed_recipient: 'ada@example.com' } : {}),
      ...(event === 'NOTIFICATION_NOT_SENT'
        ? { email_routing: 'IGNORE', email_routing_reason: 'NO_CONSENT' }
        : {}),
      email_clicked_link: 'https://example.com/',
      email_clicked_link_tags: '{}',
    },
    ...(suffix === 'INBOUND' ? { message: MESSAGE } : {}),
  } as unknown as EventItem);
  return call?.body ?? '';
}

function acceptedBody(): string {
  const [call] = raisedCallsOf({
    kind: 'head',
    ...{
      trackingId: 't1',
      accountId: 'account-1',
      environmentId: 'environment-1',
      userId: '',
      topicId: 'news',
    },
    ...{ notificationId: 'welcome', expiresAtSeconds: 99, state: 'fanning', routes: [], isNew: true },
    ...{ receivedAtMs: 1_795_249_800_000, isUrgent: false, isKeptLonger: false, course: {} },
  });
  return call?.body ?? '';
}

it.each(WEBHOOK_EVENTS)('%s has the fields of the OpenAPI document, and no others', (event) => {
  const { schema } = webhooks[event].post.requestBody.content['application/json'];
  const validate = ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
  );
  const isInbound = event.endsWith('_INBOUND') || isUserEvent(event);
  const bodies = [bodyOf(event), ...(isInbound ? [] : [withHeadFields(bodyOf(event), fieldsOf(event))])];
  for (const body of bodies) {
    validate(JSON.parse(body));
    expect(validate.errors ?? []).toEqual([]);
  }
});
