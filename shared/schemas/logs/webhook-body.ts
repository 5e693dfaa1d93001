import * as v from 'valibot';
import { CHANNELS } from '../channel.ts';
import { FAILURE_CODES } from './failure-codes.ts';
import { InboundMessage } from './inbound-message.ts';
import { RoutingReason, SkippedReason } from './log-record.ts';
import { channelOfEvent, isUserEvent, WEBHOOK_EVENTS, type WebhookEvent } from './webhook.ts';

const text = v.optional(v.string());

const NotSentReason = v.picklist([
  ...RoutingReason.options,
  'THROTTLED',
  'DEDUPLICATED',
  'UNKNOWN',
  ...SkippedReason.options,
]);

/** The channel of an event's body: an event of the whole notification has none. */
function channelFieldOf(event: WebhookEvent) {
  if (event === 'NOTIFICATION_ACCEPTED') return {};
  const isAny = event === 'NOTIFICATION_NOT_SENT';
  return { channel: isAny ? v.picklist(CHANNELS) : v.literal(channelOfEvent(event)) };
}

/** Fields of some events only. An inbound event also has the fields of the message. */
function detailsOf(event: WebhookEvent) {
  const channel = channelOfEvent(event);
  if (event.endsWith('_INBOUND')) {
    const { trackingId: _, eventType: __, timestamp: ___, ...message } = InboundMessage.entries;
    return { ...v.partial(v.object(message)).entries, receivedAt: v.string() };
  }
  if (event === 'NOTIFICATION_ACCEPTED') return { topic: text };
  return {
    trackingIds: v.optional(v.array(v.string())),
    ...(event.endsWith('_FAILED') ? { failureCode: v.optional(v.picklist(FAILURE_CODES[channel])) } : {}),
    ...(event === 'NOTIFICATION_NOT_SENT' ? { reason: NotSentReason } : {}),
    ...(event === 'EMAIL_FAILED' ? { recipient: text } : {}),
    ...(event === 'EMAIL_OPEN' || event === 'EMAIL_CLICK' ? { machine: v.optional(v.literal(true)) } : {}),
    ...(event === 'EMAIL_CLICK' ? { clickedLink: text, clickedLinkTags: text } : {}),
  };
}

/** The fields of an event, as its body has them at the top level and in `data`. */
function dataOf(event: WebhookEvent) {
  if (isUserEvent(event)) {
    const own =
      event === 'USER_ERASED'
        ? { finishedAt: v.string(), erasedLogs: v.number(), person: v.string() }
        : { readyAt: v.string(), expiresAt: v.string() };
    return v.object({ eventType: v.literal(event), userId: v.string(), requestedAt: v.string(), ...own });
  }
  return v.object({
    eventType: v.literal(event),
    ...channelFieldOf(event),
    userId: v.string(),
    notificationId: v.string(),
    trackingId: v.string(),
    metadata: v.optional(v.record(v.string(), v.string())),
    ...detailsOf(event),
  });
}

/** The fields of every body besides the fields of its event. */
export const WebhookEnvelope = v.object({ id: v.string(), type: v.string(), timestamp: v.string() });

export const WEBHOOK_DATA = Object.fromEntries(
  WEBHOOK_EVENTS.map((event) => [event, dataOf(event)]),
) as unknown as Record<WebhookEvent, v.ObjectSchema<v.ObjectEntries, undefined>>;
