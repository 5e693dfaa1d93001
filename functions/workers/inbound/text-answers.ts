import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { TextAnswer } from '../../../shared/database/entities/texts.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import { plain } from '../delivery/stream-image.ts';

/** A stored text that calls for an answer. */
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
  /** The provider's id of the text. */
  inboundId: v.string(),
});
export type TextToAnswer = v.InferOutput<typeof TextToAnswer>;

const PREFIX = 'EVENT#sms#inbound#';

/** The message that has the text of a stream record answered, one at a time per notification; undefined for others. */
export function textAnswerOf(record: DynamoDBRecord): QueueMessage | undefined {
  const image = record.dynamodb?.NewImage;
  const sk = image?.sk?.S ?? '';
  if (record.eventName !== 'INSERT' || !image?.answer || !sk.startsWith(PREFIX)) return undefined;
  const text: TextToAnswer = {
    ...v.parse(TextAnswer, plain(image.answer.M)),
    trackingId: (image.pk?.S ?? '').slice('LOG#'.length),
    accountId: image.a?.S ?? '',
    environmentId: image.e?.S ?? '',
    userId: image.u?.S ?? '',
    notificationId: image.n?.S ?? '',
    expiresAtSeconds: Number(image.expiresAt?.N ?? 0),
    serviceNumber: image.f?.M?.sms_inbound_to?.S ?? '',
    number: image.f?.M?.sms_inbound_from?.S ?? '',
    inboundId: sk.slice(PREFIX.length),
  };
  return {
    body: JSON.stringify(text),
    groupId: text.trackingId,
    deduplicationId: trackingIdOf(['text-answer', text.trackingId, text.inboundId]),
  };
}
