import { defined } from '../../runtime/values/defined.ts';
import { trackingIdOf } from '../../runtime/values/ids.ts';
import type { Channel } from '../../schemas/channel.ts';
import type { InboundMessage } from '../../schemas/logs/inbound-message.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import { type UserEvent, WEBHOOK_EVENTS, type WebhookEvent } from '../../schemas/logs/webhook.ts';
import type { Metadata } from '../../schemas/sending/send-request.ts';

const SUFFIX_OF_STAGE: Readonly<Partial<Record<Stage, string>>> = {
  opened: 'OPEN',
  clicked: 'CLICK',
  opened_machine: 'OPEN',
  clicked_machine: 'CLICK',
  failed: 'FAILED',
  copy_failed: 'FAILED',
  delivered: 'DELIVERED',
  unsubscribe: 'UNSUBSCRIBE',
  subscribe: 'SUBSCRIBE',
  inbound: 'INBOUND',
};
const TEXT_LENGTH_MAX = 16_384;

/** The event that reports a stage of a channel's log; undefined if none does. */
export function webhookEventOf(channel: Channel | undefined, stage: Stage): WebhookEvent | undefined {
  if (channel === undefined) return stage === 'accepted' ? 'NOTIFICATION_ACCEPTED' : undefined;
  if (stage === 'withheld') return 'NOTIFICATION_NOT_SENT';
  const suffix = SUFFIX_OF_STAGE[stage];
  return suffix ? WEBHOOK_EVENTS.find((event) => event === `${channel}_${suffix}`) : undefined;
}

/** The id of the call that reports a stage in a log, the same whenever it is raised. `seq` as in the sort key. */
export function webhookCallId(
  environmentId: string,
  trackingId: string,
  { prefix = '', stage, seq = '' }: { prefix?: string | undefined; stage: string; seq?: string | undefined },
): string {
  return `msg_${trackingIdOf([environmentId, trackingId, prefix, stage, seq])}`;
}

export type WebhookFacts = {
  eventType: WebhookEvent;
  channel?: Channel | undefined;
  userId: string;
  notificationId: string;
  trackingId: string;
  topic?: string | undefined;
  /** Why the channel is not sent. */
  reason?: string | undefined;
  failureCode?: string | undefined;
  /** For whom an email failed: the user, or a recipient of a copy. */
  recipient?: string | undefined;
  clickedLink?: string | undefined;
  clickedLinkTags?: string | undefined;
  /** The email was opened or the link was followed by a machine. */
  machine?: true | undefined;
  inbound?: { message: Partial<InboundMessage>; receivedAt: string } | undefined;
};

/**
 * The JSON text of an event: its fields at the top level and, in the shape that Standard Webhooks recommends,
 * `id`, `type`, `timestamp` and the same fields as `data`. Long texts of an inbound message are cut, so that
 * a call stays small.
 */
export function webhookBody(
  { inbound, ...facts }: WebhookFacts,
  { id, atMs }: { id: string; atMs: number },
): string {
  const { message, receivedAt } = inbound ?? {};
  const { eventType: _, trackingId: __, timestamp, ...rest } = message ?? {};
  const data = { ...facts, ...shortTexts(rest), receivedAt };
  const named = { id, type: facts.eventType, timestamp: timestamp ?? new Date(atMs).toISOString() };
  return JSON.stringify({ ...named, ...data, data });
}

/** The JSON text of an event about a user, of the same form. */
export function userEventBody(data: { eventType: UserEvent }, id: string, atMs: number): string {
  return JSON.stringify({ id, type: data.eventType, timestamp: new Date(atMs).toISOString(), ...data, data });
}

/** The body of an event with fields of the notification's head: its metadata, and the notifications of a digest. */
export function withHeadFields(
  body: string,
  fields: { trackingIds?: readonly string[]; metadata?: Metadata },
): string {
  const event: Record<string, unknown> = JSON.parse(body);
  const data = typeof event.data === 'object' ? event.data : {};
  return JSON.stringify({ ...event, ...fields, data: { ...data, ...fields } });
}

/** The body of an event within a size: the texts of an inbound message are halved until it fits. */
export function shortBody(body: string, bytesMax: number): string {
  const event: { data: Partial<InboundMessage> } & Partial<InboundMessage> = JSON.parse(body);
  for (let length = TEXT_LENGTH_MAX; Buffer.byteLength(body) > bytesMax && length > 1; length /= 2) {
    const { data, ...flat } = event;
    body = JSON.stringify({ ...shortTexts(flat, length), data: shortTexts(data, length) });
  }
  return body;
}

function shortTexts(message: Partial<InboundMessage>, lengthMax = TEXT_LENGTH_MAX): Partial<InboundMessage> {
  const { bodyText, bodyHtml, strippedText } = message;
  return {
    ...message,
    ...defined({
      bodyText: bodyText?.slice(0, lengthMax),
      bodyHtml: bodyHtml?.slice(0, lengthMax),
      strippedText: strippedText?.slice(0, lengthMax),
    }),
  };
}
