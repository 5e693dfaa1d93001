import * as v from 'valibot';
import { CHANNELS, type Channel, LogPrefix } from '../channel.ts';
import { Stage } from './stage.ts';

/** Events about a user, of no notification. */
const USER_EVENTS = ['USER_ERASED', 'USER_EXPORTED'] as const;
export type UserEvent = (typeof USER_EVENTS)[number];
export const isUserEvent = (event: string): event is UserEvent => USER_EVENTS.some((each) => each === event);

/** The events a webhook can be called for. */
export const WEBHOOK_EVENTS = [
  'EMAIL_OPEN',
  'EMAIL_CLICK',
  'EMAIL_FAILED',
  'EMAIL_DELIVERED',
  'EMAIL_UNSUBSCRIBE',
  'EMAIL_INBOUND',
  'INAPP_WEB_FAILED',
  'INAPP_WEB_UNSUBSCRIBE',
  'SMS_DELIVERED',
  'SMS_FAILED',
  'SMS_UNSUBSCRIBE',
  'SMS_SUBSCRIBE',
  'SMS_INBOUND',
  'PUSH_FAILED',
  'PUSH_UNSUBSCRIBE',
  'CALL_FAILED',
  'CALL_UNSUBSCRIBE',
  'WEB_PUSH_FAILED',
  'WEB_PUSH_UNSUBSCRIBE',
  'CHAT_FAILED',
  'CHAT_UNSUBSCRIBE',
  'NOTIFICATION_ACCEPTED',
  'NOTIFICATION_NOT_SENT',
  ...USER_EVENTS,
] as const;

/** An event's name. */
export const WebhookEvent = v.picklist(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}`);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;

/** The channel that an event is about. */
export function channelOfEvent(event: WebhookEvent): Channel {
  return CHANNELS.find((channel) => event.startsWith(`${channel}_`)) ?? 'EMAIL';
}

/** One call of a webhook: `status` is the response's, 0 if there was none and `error` has the reason. */
export const WebhookAttempt = v.object({
  webhookMessageId: v.string(),
  eventType: WebhookEvent,
  at: v.string(),
  attempt: v.number(),
  status: v.number(),
  ms: v.number(),
  error: v.optional(v.string()),
});
export type WebhookAttempt = v.InferOutput<typeof WebhookAttempt>;

/** The outcomes of a call: `waiting` for another attempt. */
export const CALL_OUTCOMES = ['delivered', 'failed', 'waiting'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** A call of the last 30 days with its attempts. */
export const MadeCall = v.object({
  callId: v.string(),
  webhookMessageId: v.string(),
  eventType: WebhookEvent,
  trackingId: v.optional(v.string()),
  at: v.string(),
  outcome: v.picklist(CALL_OUTCOMES),
  attempts: v.array(v.omit(WebhookAttempt, ['webhookMessageId', 'eventType'])),
});
export type MadeCall = v.InferOutput<typeof MadeCall>;

/** A pending call: its content, the attempt number, and the log of its outcome. */
export const WebhookCall = v.object({
  /** The header `webhook-id`, the same on every attempt. */
  id: v.string(),
  accountId: v.string(),
  environmentId: v.string(),
  eventType: WebhookEvent,
  /** The JSON text that is signed and sent. */
  body: v.string(),
  /** From 1. */
  attempt: v.number(),
  attemptsMax: v.number(),
  /** Epoch milliseconds of the first attempt. */
  firstAtMs: v.optional(v.number()),
  /** Somebody asked for it: it is made while the webhook rests too. */
  isResent: v.optional(v.boolean()),
  /** Also in the table, where it waited for this attempt. */
  isStored: v.optional(v.boolean()),
  /** True if it is an event of a digest's message: the body then names the notifications in it. */
  isDigest: v.optional(v.boolean()),
  /** True if the notification may have metadata, which the body then has. */
  hasMetadata: v.optional(v.boolean()),
  isAboutUser: v.optional(v.boolean()),
  /** Absent for a sample event, and for one about a user. */
  log: v.optional(
    v.object({
      trackingId: v.string(),
      /** Absent for an event of the whole notification. */
      prefix: v.optional(LogPrefix),
      stage: Stage,
      seq: v.optional(v.string()),
      userId: v.string(),
      notificationId: v.string(),
      expiresAtSeconds: v.number(),
    }),
  ),
});
export type WebhookCall = v.InferOutput<typeof WebhookCall>;
