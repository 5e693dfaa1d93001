import * as v from 'valibot';
import { bareInbound } from '../../../domain/routing/sensitive.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { countFitting } from '../../../runtime/response-size.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { InboundMessage } from '../../../schemas/logs/inbound-message.ts';
import { database } from '../../database.ts';
import { findReadable, readStored } from '../../items/stored.ts';
import { FAILED_FEED, FAILED_SHARDS, indexTime } from '../../keys/indexes.ts';
import type { Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { accounts } from '../accounts/accounts.ts';
import { type RetentionRule, retentions } from '../accounts/retentions.ts';
import { templates } from '../content/templates.ts';
import { translations } from '../content/translations.ts';
import { feed } from './feed.ts';
import { isExpired, type StoredLogHead } from './log-head.ts';
import { OUTBOUND_FEED } from './log-head-items.ts';
import { logs } from './logs.ts';
import { findSubject, type MessagesDependencies } from './message-subject.ts';

/** Kinds of the inbound feeds in the index `feed`. */
export const INBOUND_FEED = 'INBOUND';
export const SMS_INBOUND_FEED = 'SMS_INBOUND';

/** A subject may be as long as a request. */
const SUBJECT_LENGTH_MAX = 1000;

/** Entries that a request with a filter reads at most. */
const FILTERED_ENTRIES = 500;

const FEEDS = { outbound: OUTBOUND_FEED, inbound: INBOUND_FEED, sms_inbound: SMS_INBOUND_FEED } as const;

type EventType = keyof typeof FEEDS;

/** The query of a page of messages. */
type MessagesScope = {
  accountId: string;
  environmentIds: readonly string[];
  feedShards: number;
  eventType?: EventType | undefined;
  filter?: MessagesFilter | undefined;
};

/** Narrows the list. `fromMs` and `toMs` are inclusive. */
export type MessagesFilter = {
  userId?: string | undefined;
  type?: string | undefined;
  /** Of notifications, not of inbound messages. */
  subNotificationId?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** Only notifications with a channel that failed, by the time of the failure. */
  isFailed?: boolean | undefined;
};

/**
 * One page, newest first, shorter than requested if more would not fit; `nextPosition` is where the next one
 * continues, absent at the end.
 */
type MessagesPage = { messages: InboundMessage[]; nextPosition?: string };

/** An inbound message's item: it is stored in the log's partition and contains its record. */
const StoredInbound = v.object({
  record: InboundMessage,
  e: v.optional(v.string(), ''),
  n: v.optional(v.string(), ''),
  expiresAt: v.optional(v.number(), Number.POSITIVE_INFINITY),
});

/** The list of GET /logs: one record per notification and per inbound message. */
function createMessages(sources: MessagesDependencies) {
  return {
    listNewestFirst: (
      scope: MessagesScope,
      options: { limit: number; after?: string | undefined; nowMs: number },
    ): Promise<MessagesPage> => listNewestFirst(sources, scope, options),
  };
}

async function readMessage(
  sources: MessagesDependencies,
  item: Item | undefined,
  { rule, nowMs }: { rule: RetentionRule; nowMs: number },
): Promise<InboundMessage | undefined> {
  if (!item || isExpired(item, nowMs)) return undefined;
  const head = item.sk === 'HEAD' ? await sources.log.readHead(item) : undefined;
  const inbound = head ? undefined : readStored('inbound message', StoredInbound, item);
  const until = head ? await rule(head) : inbound && (await rule(logOf(inbound)));
  if (!until || until.shownUntilMs <= nowMs) return undefined;
  const isBare = until.contentUntilMs <= nowMs;
  if (head) return outboundMessage(sources, { ...head, ...(isBare ? { isSensitive: true } : {}) });
  return inbound && (isBare ? bareInbound(inbound.record) : inbound.record);
}

const logOf = ({ record, e, n, expiresAt }: v.InferOutput<typeof StoredInbound>) => ({
  ...{ environmentId: e, notificationId: n, expiresAtSeconds: expiresAt },
  ...{ receivedAtMs: record.epochMs, routing: {} },
});

async function outboundMessage(sources: MessagesDependencies, head: StoredLogHead): Promise<InboundMessage> {
  const to = [head.email, head.number].filter((each) => each !== undefined);
  return {
    trackingId: head.trackingId,
    eventType: 'outbound',
    timestamp: isoOf(head.receivedAtMs),
    epochMs: head.receivedAtMs,
    ...defined({
      to: to.length > 0 ? to : undefined,
      subject: head.isSensitive ? undefined : shortened(await findSubject(sources, head)),
    }),
  };
}

async function listNewestFirst(
  sources: MessagesDependencies,
  scope: MessagesScope,
  { limit, after, nowMs }: { limit: number; after?: string | undefined; nowMs: number },
): Promise<MessagesPage> {
  const { filter = {} } = scope;
  const feedsRead = feedsOf(scope);
  // A filter reads more than it returns, within a bound per request.
  const isNarrow = [filter.userId, filter.type, filter.subNotificationId].some((each) => each !== undefined);
  const count = isNarrow ? FILTERED_ENTRIES : limit;
  const start = filter.toMs === undefined ? undefined : indexTime(filter.toMs + 1);
  const from = after ?? start;
  const entries = await sources.feeds.listNewestFirst(feedsRead, { limit: count + 1, after: from });
  const inRange = entries.filter(({ position }) => position >= indexTime(filter.fromMs ?? 0));
  const candidates = inRange.slice(0, count);
  // A failure refers to its notification.
  const keyOf = ({ pk, sk }: Key) => (filter.isFailed ? { pk, sk: 'HEAD' } : { pk, sk });
  const items = await sources.table.batchGet(candidates.map(({ key }) => keyOf(key)));
  const matches = items.flatMap((item, index) => (isWanted(item, filter) ? [index] : [])).slice(0, limit);
  const shown = isNarrow ? matches : candidates.map((_, index) => index);
  const reading = { rule: sources.retained.ruleOf(scope.accountId), nowMs };
  const read = await Promise.all(
    shown.map((index) => findReadable(() => readMessage(sources, items[index], reading))),
  );
  const fitting = countFitting(read);
  const isCut = fitting < shown.length || (isNarrow && shown.length === limit);
  const last = isCut ? candidates[shown[fitting - 1] ?? 0] : candidates.at(-1);
  const hasMore = isCut || inRange.length > count;
  return {
    messages: uniqueByTrackingId(read.slice(0, fitting)),
    ...defined({ nextPosition: hasMore && last ? last.position : undefined }),
  };
}

function feedsOf({ environmentIds, feedShards, eventType, filter }: MessagesScope) {
  return environmentIds.flatMap((environmentId) => {
    if (filter?.isFailed) return [{ environmentId, kind: FAILED_FEED, shards: FAILED_SHARDS }];
    const kinds = eventType ? [FEEDS[eventType]] : Object.values(FEEDS);
    return kinds.map((kind) => ({ environmentId, kind, shards: kind === OUTBOUND_FEED ? feedShards : 1 }));
  });
}

/** Heads and inbound messages name their user and type alike. */
function isWanted(item: Item | undefined, filter: MessagesFilter): boolean {
  const { userId, type, subNotificationId } = filter;
  return (
    item !== undefined &&
    (userId === undefined || item.u === userId) &&
    (type === undefined || item.n === type) &&
    (subNotificationId === undefined || item.sub === subNotificationId)
  );
}

function shortened(subject: string | undefined): string | undefined {
  return subject?.slice(0, SUBJECT_LENGTH_MAX).toWellFormed();
}

/** A notification that failed on two channels is in the feed of failures twice. */
function uniqueByTrackingId(messages: readonly (InboundMessage | undefined)[]): InboundMessage[] {
  const known = messages.filter((message) => message !== undefined);
  const seen = new Set<string>();
  return known.filter(({ trackingId, eventType }) => {
    if (eventType !== 'outbound') return true;
    const isNew = !seen.has(trackingId);
    seen.add(trackingId);
    return isNew;
  });
}

export const messages = dependency('messages', () =>
  createMessages({
    table: resolve(database),
    feeds: resolve(feed),
    log: resolve(logs),
    contents: resolve(templates),
    catalogs: resolve(translations),
    knownAccounts: resolve(accounts),
    retained: resolve(retentions),
  }),
);
