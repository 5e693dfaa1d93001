import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { texts } from '../../../shared/database/entities/texts.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../shared/domain/retry.ts';
import { countSegments } from '../../../shared/domain/sms-segments.ts';
import { TEXT_ANSWER_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { optOutList } from '../../../shared/providers/opt-out-list.ts';
import { smsProvider } from '../../../shared/providers/phone.ts';
import { clock, jitter, resolve } from '../../../shared/runtime/dependency.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { TextToAnswer } from './text-answers.ts';

const WORKER = { worker: TEXT_ANSWER_QUEUE } as const;
const OPT_OUT_CONFIRMATION =
  'You have been unsubscribed and will receive no more messages from this number. Reply START to resubscribe.';

/** Answers texts to our numbers. A text comes one at a time per notification, so that it is answered once. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(event.Records.map(takeRecord));
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}

async function takeRecord(record: SQSRecord): Promise<SQSBatchItemFailure | undefined> {
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  try {
    const afterSeconds = await answer(v.parse(TextToAnswer, JSON.parse(record.body)), attempt);
    if (afterSeconds === undefined) return undefined;
    await resolve(queues).changeVisibility(TEXT_ANSWER_QUEUE, record.receiptHandle, afterSeconds);
  } catch (error) {
    log.error('a text was not answered', WORKER, error);
  }
  return { itemIdentifier: record.messageId };
}

/** Seconds until the next try; undefined when there is nothing left to do. */
async function answer(text: TextToAnswer, attempt: number): Promise<number | undefined> {
  if (text.kind === 'opt_in') await tellProvider(text, 'remove');
  const afterSeconds = await reply(text, attempt);
  // The provider refuses a number on its list, so the confirmation goes first.
  if (afterSeconds === undefined && text.kind === 'opt_out') await tellProvider(text, 'put');
  return afterSeconds;
}

async function reply(text: TextToAnswer, attempt: number): Promise<number | undefined> {
  const { kind, trackingId, environmentId, number, serviceNumber } = text;
  const message = kind === 'opt_out' ? OPT_OUT_CONFIRMATION : text.message;
  if (message === undefined || (await isReplied(text))) return undefined;
  if (kind !== 'opt_out' && (await resolve(texts).isOptedOut(environmentId, number, serviceNumber))) return;
  const { accountId, notificationId, userId } = text;
  // A confirmation is owed to the person, whatever became of the account.
  if (kind === 'auto_reply' && (await resolve(accounts).findRecent(accountId))?.disabled) return undefined;
  const outcome = await resolve(smsProvider).deliver({
    // An id of its own: what becomes of the reply says nothing about the notification.
    trackingId: trackingIdOf(['text-answer', trackingId, text.inboundId]),
    ...{ accountId, environmentId, notificationId, userId, attempt },
    ...{ to: number, from: serviceNumber, message, mediaUrls: [] },
  });
  if (outcome.kind === 'sent') return recordReply(text, message);
  if (outcome.kind === 'retry' && attempt < TRIES_MAX.SMS) {
    return retryDelaySeconds(attempt, outcome.afterSeconds, resolve(jitter)());
  }
  log.warn('a reply to a text was refused', { ...WORKER, trackingId, code: outcome.code });
  return undefined;
}

/** A notification is replied to once, an opt-out confirmed once a text. */
const seqOf = ({ kind, inboundId }: TextToAnswer) => (kind === 'opt_out' ? { seq: inboundId } : {});

async function isReplied(text: TextToAnswer): Promise<boolean> {
  const found = await resolve(logs).find(text.trackingId, resolve(clock).now());
  const { seq } = { seq: undefined, ...seqOf(text) };
  return found?.events.some((each) => each.stage === 'replied' && each.seq === seq) ?? false;
}

async function recordReply(text: TextToAnswer, message: string): Promise<undefined> {
  const { trackingId, accountId, environmentId, userId, notificationId, expiresAtSeconds } = text;
  const { encoding, segments } = countSegments(message);
  await resolve(logs).append(
    trackingId,
    { accountId, environmentId, userId, notificationId, expiresAtSeconds },
    {
      prefix: 'sms',
      stage: 'replied',
      ...seqOf(text),
      atMs: resolve(clock).now(),
      fields: {
        sms_replied_to: text.number,
        sms_replied_text: message,
        sms_replied_segments: segments,
        sms_replied_encoding: encoding,
      },
    },
  );
}

/** The provider's list is a second net: our own record decides, so that its failure stops nothing. */
async function tellProvider({ number, trackingId }: TextToAnswer, change: 'put' | 'remove'): Promise<void> {
  try {
    await resolve(optOutList)?.[change](number);
  } catch (error) {
    log.error('the opt-out list of the provider was not changed', { ...WORKER, trackingId }, error);
  }
}
