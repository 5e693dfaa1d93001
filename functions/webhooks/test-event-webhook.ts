import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { userEventBody, webhookBody } from '../../shared/domain/logs/webhook-event.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { messageBody, sendOrThrow } from '../../shared/messaging/message-body.ts';
import { WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../shared/schemas/logs/failure-codes.ts';
import type { InboundMessage } from '../../shared/schemas/logs/inbound-message.ts';
import {
  channelOfEvent,
  isUserEvent,
  type UserEvent,
  type WebhookCall,
  type WebhookEvent,
} from '../../shared/schemas/logs/webhook.ts';
import { webhookNotFound } from './not-found.ts';
import { testEventWebhookRoute } from './routes.ts';

export const handler = endpoint(testEventWebhookRoute, { webhooks, queues }, async (input) => {
  const { webhooks, queues, caller, body, clock } = input;
  const found = await webhooks.find(caller);
  const eventType = body.eventType ?? found?.events[0];
  if (!found || !eventType) throw webhookNotFound();
  const { accountId, environmentId } = found;
  const id = `msg_${newId()}`;
  const call: WebhookCall = {
    id,
    accountId,
    environmentId,
    eventType,
    body: sampleBody(eventType, id, clock.now()),
    attempt: 1,
    attemptsMax: 1,
  };
  const message = { body: messageBody(call), groupId: environmentId };
  await sendOrThrow(queues, { queue: WEBHOOK_QUEUE, message });
  return { webhookMessageId: call.id, eventType };
});

function sampleBody(eventType: WebhookEvent, id: string, nowMs: number): string {
  if (isUserEvent(eventType)) return userEventBody(sampleUserEvent(eventType, isoOf(nowMs)), id, nowMs);
  const channel = channelOfEvent(eventType);
  const inbound = { message: sampleMessage(channel, nowMs), receivedAt: isoOf(nowMs) };
  const isWhole = eventType === 'NOTIFICATION_ACCEPTED';
  const facts = {
    eventType,
    ...(isWhole ? {} : { channel }),
    userId: 'sample-user',
    notificationId: 'sample-notification',
    trackingId: '00000000-0000-8000-8000-000000000000',
    ...defined({
      reason: eventType === 'NOTIFICATION_NOT_SENT' ? 'IGNORE_BY_PREFERENCES' : undefined,
      failureCode: eventType.endsWith('_FAILED') ? CATCH_ALL_CODE[channel] : undefined,
      clickedLink: eventType === 'EMAIL_CLICK' ? 'https://example.com/' : undefined,
      clickedLinkTags: eventType === 'EMAIL_CLICK' ? '{}' : undefined,
      inbound: eventType.endsWith('_INBOUND') ? inbound : undefined,
    }),
  };
  return webhookBody(facts, { id, atMs: nowMs });
}

function sampleUserEvent(eventType: UserEvent, at: string) {
  const common = { eventType, userId: 'sample-user', requestedAt: at };
  if (eventType === 'USER_EXPORTED') return { ...common, readyAt: at, expiresAt: at };
  return { ...common, finishedAt: at, erasedLogs: 0, person: 'sample' };
}

function sampleMessage(channel: Channel, nowMs: number): Partial<InboundMessage> {
  const common = { timestamp: isoOf(nowMs), epochMs: nowMs, bodyText: 'A sample' };
  if (channel === 'SMS') {
    const inbox = '+12025550123';
    const ids = { messageId: 'sample', resolutionType: 'inbound' } as const;
    return { ...common, ...ids, inbox, from: '+14155550123', to: [inbox] };
  }
  const inbox = 'shop@example.com';
  const ids = { messageId: '<sample@example.com>', resolutionType: 'builtin' } as const;
  const lists = { to: [inbox], cc: [], bcc: [], attachments: [] };
  return {
    ...common,
    ...ids,
    ...lists,
    inbox,
    from: 'ada@example.com',
    fromName: 'Ada',
    subject: 'A sample',
  };
}
