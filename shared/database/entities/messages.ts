import * as v from 'valibot';
import { isoOf } from '../../runtime/clock.ts';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { countFitting } from '../../runtime/response-size.ts';
import { InboundMessage } from '../../schemas/inbound-message.ts';
import { database } from '../database.ts';
import { FAILED_FEED, FAILED_SHARDS, indexTime } from '../keys/indexes.ts';
import type { Item } from '../table.ts';
import { accounts } from './accounts.ts';
import { feed } from './feed.ts';
import { isExpired, type StoredLogHead } from './log-head.ts';
import { OUTBOUND_FEED } from './log-head-items.ts';
import { logs } from './logs.ts';
import { findSubject, type MessagesDependencies } from './message-subject.ts';
import { findReadable, readStored } from './stored.ts';
import { templates } from './templates.ts';
import { translations } from './translations.ts';

/** Kinds of the inbound feeds in the index `feed`. */
export const INBOUND_FEED = 'INBOUND';
export const SMS_INBOUND_FEED = 'SMS_INBOUND';

/** A subject may be as long as a request. */
const SUBJECT_LENGTH_MAX = 1000;

/** Entries that a request with a filter reads at most. */
const FILTERED_ENTRIES = 500;

const FEEDS = { outbound: OUTBOUND_FEED, inbound: INBOUND_FEED, sms_inbound: SMS_INBOUND_FEED } as const;

/** An event type of GET /logs. */
type EventType = keyof typeof FEEDS;

/** The query of a page of messages. */
type MessagesScope = {
  environmentIds: readonly string[];
  feedShards: number;
  eventType?: EventType | undefined;
  filter?: MessagesFilter | undefined;
};

/** Narrows the list. `fromMs` and `toMs` are inclusive. */
export type MessagesFilter = {
  userId?: string | undefined;
  type?: string | undefined;
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

/** The list of GET /logs: one record per notification and per inbound message. */
export type Messages = {
  listNewestFirst(
    scope: MessagesScope,
    options: { limit: number; after?: string | undefined; nowMs: number },
  ): Promise<MessagesPage>;
};

/** An inbound message's item: it is stored in the log's partition and contains its record. */
const StoredInbound = v.object({ record: InboundMessage, expiresAt: v.optional(v.number()) });

function createMessages(sources: MessagesDependencies): Messages {
  return {
    listNewestFirst: (scope, options) => listNewestFirst(sources, scope, options),
  };
}

async function readMessage(
  sources: MessagesDependencies,
  item: Item | undefined,
  nowMs: number,
): Promise<InboundMessage | undefined> {
  if (!item || isExpired(item, nowMs)) return undefined;
  if (item.sk !== 'HEAD') return readStored('inbound message', StoredInbound, item).record;
  return outboundMessage(sources, await sources.log.readHead(item));
}

/** A failure refers to its notification. */
async function readEntry(
  sources: MessagesDependencies,
  item: Item | undefined,
  nowMs: number,
): Promise<InboundMessage | undefined> {
  const isFailure = item !== undefined && item.sk !== 'HEAD' && item.record === undefined;
  return readMessage(
    sources,
    isFailure ? await sources.table.get({ pk: String(item.pk), sk: 'HEAD' }) : item,
    nowMs,
  );
}

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
  const isNarrow = filter.userId !== undefined || filter.type !== undefined;
  const count = isNarrow ? FILTERED_ENTRIES : limit;
  const start = filter.toMs === undefined ? undefined : indexTime(filter.toMs + 1);
  const from = after ?? start;
  const entries = await sources.feeds.listNewestFirst(feedsRead, { limit: count + 1, after: from });
  const inRange = entries.filter(({ position }) => position >= indexTime(filter.fromMs ?? 0));
  const candidates = inRange.slice(0, count);
  const items = await sources.table.batchGet(candidates.map(({ key }) => key));
  const matches = items.flatMap((item, index) => (isWanted(item, filter) ? [index] : [])).slice(0, limit);
  const shown = isNarrow ? matches : candidates.map((_, index) => index);
  const read = await Promise.all(
    shown.map((index) => findReadable(() => readEntry(sources, items[index], nowMs))),
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

/** Heads, inbound messages and failures name their user and type alike. */
function isWanted(item: Item | undefined, { userId, type }: MessagesFilter): boolean {
  return (
    item !== undefined &&
    (userId === undefined || item.u === userId) &&
    (type === undefined || item.n === type)
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
  }),
);
