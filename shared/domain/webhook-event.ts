import { CHANNELS, type Channel, LOG_PREFIX } from '../schemas/channel.ts';
import type { InboundMessage } from '../schemas/inbound-message.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../schemas/webhook.ts';

const SUFFIX_OF_STAGE: Readonly<Record<string, string>> = {
  opened: 'OPEN',
  clicked: 'CLICK',
  failed: 'FAILED',
  copy_failed: 'FAILED',
  delivered: 'DELIVERED',
  unsubscribe: 'UNSUBSCRIBE',
  subscribe: 'SUBSCRIBE',
  inbound: 'INBOUND',
};
const TEXT_LENGTH_MAX = 16_384;

/** The channel of a log field prefix, `mobile_push` -> `PUSH`. */
export function channelOfPrefix(prefix: string | undefined): Channel | undefined {
  return CHANNELS.find((each) => LOG_PREFIX[each] === prefix);
}

/** The event that a stage of a channel's log is told as; undefined when it is not (API 8). */
export function webhookEventOf(channel: Channel, stage: string | undefined): WebhookEvent | undefined {
  const suffix = stage !== undefined && Object.hasOwn(SUFFIX_OF_STAGE, stage) && SUFFIX_OF_STAGE[stage];
  return suffix ? WEBHOOK_EVENTS.find((event) => event === `${channel}_${suffix}`) : undefined;
}

/** What an event is told of. */
export type WebhookFacts = {
  eventType: WebhookEvent;
  channel: Channel;
  userId: string;
  notificationId: string;
  trackingId: string;
  failureCode?: string | undefined;
  /** Whom an email failed for: the user, or somebody who got a copy. */
  recipient?: string | undefined;
  clickedLink?: string | undefined;
  clickedLinkTags?: string | undefined;
  inbound?: { message: Partial<InboundMessage>; receivedAt: string } | undefined;
};

/** The flat JSON text of an event (API 8). Long texts of an inbound message are cut, so that a call stays small. */
export function webhookBody({ inbound, ...facts }: WebhookFacts): string {
  const { message, receivedAt } = inbound ?? {};
  const { eventType: _, trackingId: __, ...told } = message ?? {};
  return JSON.stringify({ ...facts, ...shortTexts(told), receivedAt });
}

function shortTexts(message: Partial<InboundMessage>): Partial<InboundMessage> {
  const { bodyText, bodyHtml } = message;
  return {
    ...message,
    ...(bodyText === undefined ? {} : { bodyText: bodyText.slice(0, TEXT_LENGTH_MAX) }),
    ...(bodyHtml === undefined ? {} : { bodyHtml: bodyHtml.slice(0, TEXT_LENGTH_MAX) }),
  };
}
