import * as v from 'valibot';
import { FAILURE_CODES } from './failure-codes.ts';
import { InboundMessage } from './inbound-message.ts';
import { channelOfEvent, isUserEvent, WEBHOOK_EVENTS, type WebhookEvent } from './webhook.ts';

const text = v.optional(v.string());

/** Fields of some events only; the rest of an inbound one are those of the message. */
function detailsOf(event: WebhookEvent) {
  const channel = channelOfEvent(event);
  if (event.endsWith('_INBOUND')) {
    const { trackingId: _, eventType: __, timestamp: ___, ...message } = InboundMessage.entries;
    return { ...v.partial(v.object(message)).entries, receivedAt: v.string() };
  }
  return {
    trackingIds: v.optional(v.array(v.string())),
    ...(event.endsWith('_FAILED') ? { failureCode: v.optional(v.picklist(FAILURE_CODES[channel])) } : {}),
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
    channel: v.literal(channelOfEvent(event)),
    userId: v.string(),
    notificationId: v.string(),
    trackingId: v.string(),
    ...detailsOf(event),
  });
}

/** The fields of every body besides those of its event. */
export const WebhookEnvelope = v.object({ id: v.string(), type: v.string(), timestamp: v.string() });

/** The schema of each event's `data`. */
export const WEBHOOK_DATA = Object.fromEntries(
  WEBHOOK_EVENTS.map((event) => [event, dataOf(event)]),
) as unknown as Record<WebhookEvent, v.ObjectSchema<v.ObjectEntries, undefined>>;
