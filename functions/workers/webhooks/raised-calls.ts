import type { EventItem, HeadItem } from '../../../shared/database/entities/logs/log-items.ts';
import {
  type WebhookFacts,
  webhookBody,
  webhookCallId,
  webhookEventOf,
} from '../../../shared/domain/logs/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../../shared/domain/logs/webhook-retry.ts';
import { CANCELED } from '../../../shared/domain/routing/channel-fields.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { InboundMessage } from '../../../shared/schemas/logs/inbound-message.ts';
import type { Stage } from '../../../shared/schemas/logs/stage.ts';
import type { WebhookCall } from '../../../shared/schemas/logs/webhook.ts';

type Reached = { channel?: Channel; stage: Stage; seq?: string | undefined; atMs: number };
type Details = Pick<
  WebhookFacts,
  'topic' | 'reason' | 'failureCode' | 'recipient' | 'clickedLink' | 'clickedLinkTags' | 'machine' | 'inbound'
>;

const LISTS = ['to', 'cc', 'bcc'];

/** Events with these stages do not say whether the notification has metadata: its head is read in any case. */
const READ_STAGES: readonly Stage[] = ['inbound', 'unsubscribe', 'subscribe', 'withheld'];
const NOT_SENT: readonly unknown[] = ['IGNORE', 'THROTTLED', 'DEDUPLICATED'];

/**
 * Returns the webhook calls that a log item causes, even without a webhook: calls of an appended event, of the acceptance, and of
 * the channels that fail or are withheld at acceptance. The same item always gives the same calls.
 */
export function raisedCallsOf(item: HeadItem | EventItem | undefined): WebhookCall[] {
  if (item?.kind === 'head') return [...acceptedCall(item), ...(isDecided(item) ? decidedCalls(item) : [])];
  if (item?.kind !== 'event' || item.isAutomatic) return [];
  const { channel, stage, seq, atMs } = item;
  const reason = notSentReason(item);
  return [
    ...(stage === 'withheld' ? [] : callOf(item, { channel, stage, seq, atMs }, () => detailsOf(item))),
    ...(item.delivered ? callOf(item, { channel, stage: 'delivered', atMs }, () => ({})) : []),
    ...(reason ? callOf(item, { channel, stage: 'withheld', atMs }, () => ({ reason })) : []),
  ];
}

/** Why an event ends a channel without sending it. What a caller cancels, and what an erasure ends, is no event. */
function notSentReason({ channel, fields, userId }: EventItem): string | undefined {
  const prefix = LOG_PREFIX[channel];
  const skipped = fields[`${prefix}_skipped_reason`];
  const routing = fields[`${prefix}_routing`];
  if (userId === '' || skipped === CANCELED) return undefined;
  if (typeof skipped === 'string') return skipped;
  return NOT_SENT.includes(routing) ? reasonOf(routing, fields[`${prefix}_routing_reason`]) : undefined;
}

const reasonOf = (routing: unknown, reason: unknown): string =>
  String(reason ?? (routing === 'IGNORE' ? 'UNKNOWN' : routing));

export function callMessage(
  call: WebhookCall,
  delaySeconds?: number,
): { queue: string; message: QueueMessage } {
  return {
    queue: WEBHOOK_QUEUE,
    message: { body: messageBody(call), ...defined({ delaySeconds }), groupId: call.environmentId },
  };
}

/** A digest's message and an inbound message have no request. */
function acceptedCall(item: HeadItem): WebhookCall[] {
  const { isNew, isDigest, state, course, notificationId, receivedAtMs: atMs, topicId, userId } = item;
  const isRequest = isNew && !isDigest && notificationId !== '' && course.failedCode === undefined;
  if (!isRequest || !state || state === 'cancelled' || (userId === '' && !topicId)) return [];
  return callOf(item, { stage: 'accepted', atMs }, () => ({ topic: topicId }));
}

/** A head changes again when it is kept longer, and when its user is erased. */
function isDecided({ state, isKeptLonger, userId }: HeadItem): boolean {
  return state === 'accepted' && !isKeptLonger && userId !== '';
}

function decidedCalls(item: HeadItem): WebhookCall[] {
  const atMs = item.course.processedAtMs ?? item.receivedAtMs;
  return item.routes.flatMap(({ channel, routing, reason, failureCode }) => [
    ...(failureCode === undefined
      ? []
      : callOf(item, { channel, stage: 'failed', atMs: item.receivedAtMs }, () => ({ failureCode }))),
    ...(NOT_SENT.includes(routing)
      ? callOf(item, { channel, stage: 'withheld', atMs }, () => ({ reason: reasonOf(routing, reason) }))
      : []),
  ]);
}

function callOf(
  item: HeadItem | EventItem,
  { channel, stage, seq, atMs }: Reached,
  details: () => Details,
): WebhookCall[] {
  const eventType = webhookEventOf(channel, stage);
  const { trackingId, accountId, environmentId, userId, notificationId, expiresAtSeconds } = item;
  if (!eventType || !accountId || !environmentId) return [];
  const named = { userId, notificationId, trackingId };
  const prefix = channel && LOG_PREFIX[channel];
  const id = webhookCallId(environmentId, trackingId, { prefix, stage, seq });
  return [
    {
      id,
      accountId,
      environmentId,
      eventType,
      body: webhookBody({ eventType, channel, ...named, ...details() }, { id, atMs }),
      attempt: 1,
      attemptsMax: WEBHOOK_ATTEMPTS_MAX,
      isDigest: item.isDigest,
      hasMetadata: item.hasMetadata || READ_STAGES.includes(stage) || undefined,
      log: {
        ...named,
        prefix,
        stage,
        seq,
        expiresAtSeconds,
      },
    },
  ];
}

function detailsOf({ channel, stage, fields, atMs, message }: EventItem): Details {
  const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
  if (stage === 'failed' || stage === 'copy_failed') {
    const failureCode = textOf(`${LOG_PREFIX[channel]}_failed_code`);
    return { failureCode, recipient: textOf('email_failed_recipient') };
  }
  if (stage === 'opened_machine') return { machine: true };
  if (stage === 'clicked' || stage === 'clicked_machine') {
    return {
      ...(stage === 'clicked' ? {} : { machine: true as const }),
      clickedLink: textOf('email_clicked_link'),
      clickedLinkTags: textOf('email_clicked_link_tags'),
    };
  }
  if (stage !== 'inbound') return {};
  return {
    inbound: { message: message ?? messageOf(fields, LOG_PREFIX[channel]), receivedAt: isoOf(atMs) },
  };
}

/**
 * Field names of an inbound message for the inbound fields of a log: `email_inbound_body_text` is `bodyText`.
 */
function messageOf(fields: Record<string, unknown>, prefix: string): Partial<InboundMessage> {
  const start = `${prefix}_inbound_`;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(start) && !name.endsWith('_at'))
      .map(([name, value]) => {
        const short = name.slice(start.length).replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
        const named = short === 'text' ? 'bodyText' : short;
        return [named, LISTS.includes(named) && typeof value === 'string' ? value.split(',') : value];
      }),
  );
}
