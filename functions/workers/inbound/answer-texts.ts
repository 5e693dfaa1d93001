import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { texts } from '../../../shared/database/entities/incoming/texts.ts';
import { isErasedHead, requestedAtMs } from '../../../shared/database/entities/logs/log-head.ts';
import type { EventOwner } from '../../../shared/database/entities/logs/log-items.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import type { LogEvent } from '../../../shared/domain/logs/log.ts';
import { countSegments } from '../../../shared/domain/phone/sms-segments.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../shared/domain/timing/retry.ts';
import type { Invocation } from '../../../shared/http/endpoint/invocation.ts';
import { type QueueOutcome, queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { TEXT_ANSWER_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { optOutList } from '../../../shared/providers/phone/opt-out-list.ts';
import { smsProvider } from '../../../shared/providers/phone/phone.ts';
import { jitter, type Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import { wordsOf } from './reply-words.ts';
import { optInSeqOf, TextToAnswer } from './text-to-answer.ts';

const WORKER = { worker: TEXT_ANSWER_QUEUE } as const;

const DEPENDENCIES = { accounts, erasureMarks, jitter, logs, optOutList, smsProvider, texts, users };
type Deps = Resolved<typeof DEPENDENCIES> & Invocation;

/**
 * Replies to text messages sent to this service's numbers, one at a time per notification, so each gets one
 * reply.
 */
export const handler = queueWorker(
  { name: TEXT_ANSWER_QUEUE, body: TextToAnswer, failed: 'a text message was not answered' },
  DEPENDENCIES,
  async ({ body, attempt: receives, id: _, sentAtMs: __, ...deps }) => {
    const text = await readAnswering(deps, body);
    if (text.kind === 'opt_in') await endProviderOptOut(deps, text);
    const outcome = await reply(deps, text, receives);
    // The provider rejects numbers on its list, so the confirmation goes first.
    if (outcome === 'done' && text.kind === 'opt_out') await changeProviderList(deps, text, 'put');
    return outcome;
  },
);

/** A text message with the events of its log. The log of an erased user records no person. */
type Answering = TextToAnswer & { events: readonly LogEvent[]; isErased: boolean };

async function readAnswering({ logs, erasureMarks, clock }: Deps, text: TextToAnswer): Promise<Answering> {
  const found = await logs.find(text.trackingId, clock.now());
  const isErased =
    found !== undefined &&
    (isErasedHead(found.head) ||
      (await erasureMarks.isErasedSince(text.environmentId, text.userId, requestedAtMs(found.head))));
  return { ...text, events: found?.events ?? [], isErased };
}

async function reply(deps: Deps, text: Answering, receives: number): Promise<QueueOutcome> {
  const { kind, trackingId, environmentId, number, serviceNumber, events } = text;
  const account = await deps.accounts.findRecent(text.accountId);
  if (isReplied(events, text)) return 'done';
  // Only the confirmation of an opt-out is still sent to somebody who was erased.
  if (kind !== 'opt_out' && text.isErased) return 'done';
  if (kind !== 'opt_out' && (await deps.texts.isOptedOut(text, number, serviceNumber, true))) return 'done';
  const { accountId, notificationId, userId } = text;
  // The person must get a confirmation, even if the account is disabled.
  if (kind === 'auto_reply' && account?.disabled) return 'done';
  const user = kind === 'auto_reply' || text.isErased ? undefined : await deps.users.find(text, userId);
  const message = kind === 'auto_reply' ? text.message : wordsOf(kind, { ...account }, user?.locale);
  if (message === undefined) return 'done';
  const turn = await deps.smsProvider.awaitTurn?.(deps.timeLeftMs());
  if (turn) return waitAgain(deps, text, receives, turn.againSeconds);
  // Each attempt from the second is recorded: Lambda throttled the further receives.
  const recorded = recordedAttempts(events, text);
  const attempt = Math.min(receives - waitsBefore(events, text), recorded + 2);
  if (attempt > 1) await recordAttempt(deps, text, recorded + 1);
  const outcome = await deps.smsProvider.deliver({
    // A separate ID: the reply's outcome is not the notification's.
    trackingId: trackingIdOf(['text-answer', trackingId, text.inboundId]),
    ...{ accountId, environmentId, notificationId, userId, attempt },
    ...{ to: number, from: serviceNumber, message, mediaUrls: [] },
  });
  if (outcome.kind === 'sent') return recordReply(deps, text, message);
  if (outcome.kind === 'postponed') return waitAgain(deps, text, receives, outcome.afterSeconds);
  if (outcome.kind === 'retry' && attempt < TRIES_MAX.SMS) {
    return { againSeconds: retryDelaySeconds(attempt, outcome.afterSeconds, deps.jitter()) };
  }
  log.warn('a reply to a text message was rejected', { ...WORKER, trackingId, code: outcome.code });
  return 'done';
}

/**
 * Records that this receive gave the text to no provider: it is no attempt, which would bind the next one to the first
 * provider.
 */
async function waitAgain(
  { logs, clock }: Deps,
  text: Answering,
  receives: number,
  againSeconds: number,
): Promise<QueueOutcome> {
  const seq = `${waitSeqOf(text)}${receives}`;
  const event = { channel: 'SMS', stage: 'reply_attempt', seq, atMs: clock.now(), fields: {} } as const;
  await logs.append(text.trackingId, replyOwnerOf(text), event);
  return { againSeconds };
}

const waitSeqOf = ({ inboundId }: TextToAnswer) => `${inboundId}/waited/`;

function waitsBefore(events: readonly LogEvent[], text: TextToAnswer): number {
  const start = waitSeqOf(text);
  return events.filter(({ stage, seq }) => stage === 'reply_attempt' && seq?.startsWith(start)).length;
}

/** The automatic reply is sent once per notification; a keyword is answered once per text message. */
const seqOf = ({ kind, inboundId }: TextToAnswer) => (kind === 'auto_reply' ? {} : { seq: inboundId });

function isReplied(events: readonly LogEvent[], text: TextToAnswer): boolean {
  const { seq } = { seq: undefined, ...seqOf(text) };
  return events.some((each) => each.stage === 'replied' && each.seq === seq);
}

function recordedAttempts(events: readonly LogEvent[], { inboundId }: TextToAnswer): number {
  const start = `${inboundId}/`;
  return events.filter(
    ({ stage, seq = '' }) =>
      stage === 'reply_attempt' && seq.startsWith(start) && /^\d+$/.test(seq.slice(start.length)),
  ).length;
}

/**
 * From the second receive on: a receive that could not record its reply must not send it repeatedly. Throws
 * if another receive is sending it, or if storage fails.
 */
async function recordAttempt({ logs, clock }: Deps, text: Answering, number: number): Promise<void> {
  const seq = `${text.inboundId}/${number}`;
  const event = { channel: 'SMS', stage: 'reply_attempt', seq, atMs: clock.now(), fields: {} } as const;
  const isNew = await logs.append(text.trackingId, replyOwnerOf(text), event);
  if (!isNew) throw new Error('this attempt is already recorded: another receive may be making it');
}

function replyOwnerOf(text: Answering): EventOwner {
  const { accountId, environmentId, userId, notificationId, expiresAtSeconds, isErased } = text;
  return { accountId, environmentId, userId, notificationId, expiresAtSeconds, isErased };
}

async function recordReply({ logs, clock }: Deps, text: Answering, message: string): Promise<'done'> {
  const { encoding, segments } = countSegments(message);
  await logs.append(text.trackingId, replyOwnerOf(text), {
    channel: 'SMS',
    stage: 'replied',
    ...seqOf(text),
    atMs: clock.now(),
    fields: {
      sms_replied_to: text.number,
      sms_replied_text: message,
      sms_replied_segments: segments,
      sms_replied_encoding: encoding,
    },
  });
  return 'done';
}

/** Removes the number from the provider's list unless a later text message opted out again, and records that it did. */
async function endProviderOptOut(deps: Deps, text: Answering): Promise<void> {
  const { number, serviceNumber } = text;
  if (await deps.texts.isOptedOut(text, number, serviceNumber, true)) return recordOptIn(deps, text);
  if (await changeProviderList(deps, text, 'remove')) await recordOptIn(deps, text);
}

async function recordOptIn({ logs, clock }: Deps, text: Answering): Promise<void> {
  const event = {
    channel: 'SMS',
    stage: 'reply_attempt',
    seq: optInSeqOf(text.inboundId),
    fields: {},
  } as const;
  await logs.append(text.trackingId, replyOwnerOf(text), { ...event, atMs: clock.now() });
}

/**
 * The provider's list is only a safety net: this service's record decides, so a failure here stops nothing. Returns
 * whether it was changed.
 */
async function changeProviderList(
  { optOutList }: Deps,
  { number, trackingId }: TextToAnswer,
  change: 'put' | 'remove',
): Promise<boolean> {
  try {
    await optOutList?.[change](number);
    return true;
  } catch (error) {
    log.error('the opt-out list of the provider was not changed', { ...WORKER, trackingId }, error);
    return false;
  }
}
