import * as v from 'valibot';
import {
  type EventItem,
  type HeadItem,
  TextAnswer,
} from '../../../shared/database/entities/logs/log-items.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';

export const TextToAnswer = v.object({
  ...TextAnswer.entries,
  trackingId: v.string(),
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  notificationId: v.string(),
  expiresAtSeconds: v.number(),
  serviceNumber: v.string(),
  number: v.string(),
  inboundId: v.string(),
});
export type TextToAnswer = v.InferOutput<typeof TextToAnswer>;

/** The event that a text message's opt-in has reached the provider. */
export const optInSeqOf = (inboundId: string) => `${inboundId}/opt-in`;

/**
 * The message that requests the reply to a stored text message, one at a time per notification; undefined for
 * other items.
 */
export function textAnswerOf(item: HeadItem | EventItem | undefined): QueueMessage | undefined {
  if (item?.kind !== 'event' || item.channel !== 'SMS' || item.stage !== 'inbound' || !item.answer) return;
  const { fields, seq = '' } = item;
  const text: TextToAnswer = {
    ...item.answer,
    trackingId: item.trackingId,
    accountId: item.accountId,
    environmentId: item.environmentId,
    userId: item.userId,
    notificationId: item.notificationId,
    expiresAtSeconds: item.expiresAtSeconds,
    serviceNumber: String(fields.sms_inbound_to ?? ''),
    number: String(fields.sms_inbound_from ?? ''),
    inboundId: seq,
  };
  return {
    body: messageBody(text),
    groupId: text.trackingId,
    deduplicationId: trackingIdOf(['text-answer', text.trackingId, text.inboundId]),
  };
}
