import type { EventItem, HeadItem } from '../../../shared/database/entities/log-items.ts';
import {
  type WebhookFacts,
  webhookBody,
  webhookCallId,
  webhookEventOf,
} from '../../../shared/domain/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../../shared/domain/webhook-retry.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { InboundMessage } from '../../../shared/schemas/inbound-message.ts';
import type { Stage } from '../../../shared/schemas/stage.ts';
import type { WebhookCall } from '../../../shared/schemas/webhook.ts';

type Reached = { channel: Channel; stage: Stage; seq?: string | undefined; atMs: number };
type Details = Pick<
  WebhookFacts,
  'failureCode' | 'recipient' | 'clickedLink' | 'clickedLinkTags' | 'machine' | 'inbound'
>;

const LISTS = ['to', 'cc', 'bcc'];

/**
 * Returns the webhook calls that a log item causes, whether or not there is a webhook: those of an appended
 * event, and of the channels that an accepted notification fails immediately. The same item always gives the
 * same calls.
 */
export function raisedCallsOf(item: HeadItem | EventItem | undefined): WebhookCall[] {
  if (item?.kind === 'head') return isNewlyAccepted(item) ? failedCalls(item) : [];
  if (item?.kind !== 'event' || item.isAutomatic) return [];
  const { channel, stage, seq, atMs } = item;
  return [
    ...callOf(item, { channel, stage, seq, atMs }, () => detailsOf(item)),
    ...(item.delivered ? callOf(item, { channel, stage: 'delivered', atMs }, () => ({})) : []),
  ];
}

/** The message that requests a call, and its queue. */
export function callMessage(
  call: WebhookCall,
  delaySeconds?: number,
): { queue: string; message: QueueMessage } {
  return {
    queue: WEBHOOK_QUEUE,
    message: { body: messageBody(call), ...defined({ delaySeconds }), groupId: call.environmentId },
  };
}

/** A head changes again when it is kept longer, and when its user is erased. */
function isNewlyAccepted({ state, isKeptLonger, userId }: HeadItem): boolean {
  return state === 'accepted' && !isKeptLonger && userId !== '';
}

function failedCalls(item: HeadItem): WebhookCall[] {
  return item.routes.flatMap(({ channel, failureCode }) =>
    failureCode === undefined
      ? []
      : callOf(item, { channel, stage: 'failed', atMs: item.receivedAtMs }, () => ({ failureCode })),
  );
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
  const prefix = LOG_PREFIX[channel];
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
