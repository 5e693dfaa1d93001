import * as v from 'valibot';
import type { LogEvent } from '../../../domain/logs/log.ts';
import { spellingsOf } from '../../../domain/phone/number-spellings.ts';
import { isOptedOutOf } from '../../../domain/phone/sms-opt-outs.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import type { InboundMessage } from '../../../schemas/logs/inbound-message.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { feedKeys } from '../../keys/indexes.ts';
import { SMS_THREAD_SK_PREFIX, smsThreadKey, smsThreadKeyIn, smsThreadPk } from '../../keys/phone.ts';
import { type EventOwner, eventItem, type TextAnswer } from '../logs/log-items.ts';
import { SMS_INBOUND_FEED } from '../logs/messages.ts';
import { createUserTraces, type UserTraces } from '../users/user-traces.ts';
import { type SmsOptOuts, smsOptOuts } from './sms-opt-out-list.ts';

const THREAD_KEPT_SECONDS = 400 * DAY_SECONDS;

const StoredThread = v.object({
  trackingId: v.string(),
  accountId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  notificationId: v.string(),
  atMs: v.number(),
  /** The automatic reply to the first message that replies to it. */
  autoReply: v.optional(v.string()),
});

/** The last text message that an environment sent from one of the deployment's numbers to a person. */
export type SmsThread = v.InferOutput<typeof StoredThread>;

/** One of the deployment's numbers and a person's, both E.164. */
export type NumberPair = { serviceNumber: string; number: string };

/** A text message from a person to one of the deployment's numbers. */
type InboundText = NumberPair & {
  text: string;
  media: readonly { url: string; contentType?: string }[];
  providerMessageId: string;
  atMs: number;
  answer?: TextAnswer | undefined;
};

/** SMS conversations: sent messages, inbound messages, opt-outs. */
export type Texts = ReturnType<typeof createTexts>;

type Store = { table: Database; traces: UserTraces };

function createTexts(table: Database, optOuts: SmsOptOuts) {
  const traces = createUserTraces(table);
  const store: Store = { table, traces };
  return {
    ...bound(store, { storeSent, remove, listThreads, appendInbound }),

    /**
     * True if the person opted out of the number, or of any number if the sending number is not known; a decision that another
     * process stored applies after three seconds at the latest, or at once with `isPresent`.
     */
    async isOptedOut(
      scope: { accountId: string; environmentId: string },
      number: string,
      serviceNumber: string | undefined,
      isPresent?: boolean,
    ): Promise<boolean> {
      return isOptedOutOf(await optOuts.list(scope, number, isPresent), serviceNumber);
    },

    /** Opts the person out of the number or in again, for every account, unless a later message already decided. */
    setOptOut: (pair: NumberPair, isOptedOut: boolean, atMs: number): Promise<void> =>
      optOuts.decide({ ...pair, isOptedOut, atMs }),
  };
}

/** Stores a sent text message as the message that replies belong to, unless a later message is stored. */
async function storeSent(
  store: Store,
  { serviceNumber, number }: NumberPair,
  thread: SmsThread,
): Promise<void> {
  const { environmentId, userId, atMs } = thread;
  const expiresAt = secondsAfter(atMs, THREAD_KEPT_SECONDS);
  const item = { ...smsThreadKey(serviceNumber, number, environmentId), ...thread, expiresAt };
  const known = await store.table.put(item, {
    condition: 'userId = :user AND atMs <= :at',
    values: { ':user': userId, ':at': atMs },
  });
  if (known.written || known.current?.userId === userId) return;
  // Each message extends the thread's expiry, so its trace has none.
  await store.traces.enter(thread, item.pk);
  await store.table.put(item, {
    condition: 'attribute_not_exists(pk) OR atMs <= :at',
    values: { ':at': atMs },
  });
  await store.traces.reenter(thread, item.pk);
}

/** Deletes a thread, named by its partition, if it is the user's and `isErased`. */
async function remove(
  store: Store,
  pk: string,
  { environmentId, userId }: { environmentId: string; userId: string },
  isErased: (thread: SmsThread) => Promise<boolean>,
): Promise<void> {
  const key = smsThreadKeyIn(pk, environmentId);
  // A message sent at this moment to a known thread is removed with it; one sent later enters the thread
  // again.
  await store.traces.leaveAfter({ environmentId, userId }, pk, async () => {
    const item = await store.table.get(key, { consistent: true });
    const thread = item && readStored('text thread', StoredThread, item);
    if (thread?.userId === userId && !(await isErased(thread))) return false;
    return store.table.delete(key, { condition: 'userId = :user', values: { ':user': userId } });
  });
}

/** The last text message of each environment that wrote to the person from the number, newest first. */
async function listThreads(store: Store, { serviceNumber, number }: NumberPair): Promise<SmsThread[]> {
  const items = await Promise.all(
    spellingsOf(number).map((each) =>
      store.table.queryAll(smsThreadPk(serviceNumber, each), SMS_THREAD_SK_PREFIX, { consistent: true }),
    ),
  );
  return items
    .flat()
    .map((item) => readStored('text thread', StoredThread, item))
    .sort((left, right) => right.atMs - left.atMs);
}

/** Appends the message to the log it replies to and to the feed, once: false if it exists. */
async function appendInbound(
  store: Store,
  trackingId: string,
  owner: EventOwner,
  inbound: InboundText,
): Promise<boolean> {
  const { providerMessageId, atMs } = inbound;
  const event: LogEvent = {
    channel: 'SMS',
    stage: 'inbound',
    seq: providerMessageId,
    atMs,
    fields: fieldsOf(inbound),
  };
  const item = await eventItem(trackingId, owner, event, {
    ...feedKeys(owner.environmentId, SMS_INBOUND_FEED, 0, atMs, providerMessageId, owner.userId),
    record: recordOf(trackingId, inbound),
    answer: inbound.answer,
  });
  return (await store.table.put(item, { condition: 'attribute_not_exists(pk)' })).written;
}

function fieldsOf({ number, serviceNumber, text, media }: InboundText): LogFields {
  return {
    sms_inbound_from: number,
    sms_inbound_to: serviceNumber,
    sms_inbound_text: text,
    ...defined({ sms_inbound_media: media.length > 0 ? JSON.stringify(media).slice(0, 2048) : undefined }),
  };
}

function recordOf(trackingId: string, inbound: InboundText): InboundMessage {
  const { number, serviceNumber, text, media, providerMessageId, atMs } = inbound;
  return {
    trackingId,
    eventType: 'sms_inbound',
    timestamp: isoOf(atMs),
    epochMs: atMs,
    inbox: serviceNumber,
    from: number,
    to: [serviceNumber],
    bodyText: text,
    ...defined({ media: media.length > 0 ? [...media] : undefined }),
    messageId: providerMessageId,
    resolutionType: 'inbound',
  };
}

export const texts = dependency('texts', () => createTexts(resolve(database), resolve(smsOptOuts)));
