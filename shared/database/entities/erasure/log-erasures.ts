import { blobs } from '../../../blobs/blobs.ts';
import type { LogEvent } from '../../../domain/logs/log.ts';
import { webhookCallId, webhookEventOf } from '../../../domain/logs/webhook-event.ts';
import { cancelledFields } from '../../../domain/routing/channel-fields.ts';
import { mailboxOf } from '../../../domain/users/mailbox.ts';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Channel, LOG_PREFIX } from '../../../schemas/channel.ts';
import { SETTLED_STAGES, type Stage } from '../../../schemas/logs/stage.ts';
import { database } from '../../database.ts';
import { webhookCallKey } from '../../keys/environment.ts';
import { feedTag, tagOfFeedSk } from '../../keys/indexes.ts';
import { keyOf, logPk, trackingIdOfPk } from '../../keys/key.ts';
import { providerCallKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { signer } from '../access/deployment-secret.ts';
import { type FeedEntry, feed } from '../logs/feed.ts';
import { OUTBOUND_FEED, REFUSED_FEED } from '../logs/log-head-items.ts';
import { type EventItem, eventItem, type HeadItem, readLogItem } from '../logs/log-items.ts';
import { logs } from '../logs/logs.ts';
import { INBOUND_FEED, SMS_INBOUND_FEED } from '../logs/messages.ts';
import { suppressions } from '../users/suppressions.ts';
import {
  blankCopies,
  blankEvent,
  blankExclusion,
  blankHead,
  type ErasureSources,
  forgetReason,
} from './log-blanking.ts';

/** The user whose logs are erased, and the time until which they were accepted. */
export type ErasedPerson = {
  environmentId: string;
  userId: string;
  addresses: readonly string[];
  /** Users who had one of the addresses. */
  formerOf?: readonly string[] | undefined;
  atMs: number;
};

/** `mayChange`: it was in transition, or a delivery may have been in progress: to be erased again. */
export type ErasedLog = { userId: string; trackingId: string; mayChange: boolean };

export type LogErasures = {
  /** Finds what `erasePage` would erase: the tracking IDs of a person's logs. Changes nothing. */
  listPage(
    person: ErasedPerson,
    options: Omit<PageOptions, 'nowMs'> & { feedShards: number },
  ): Promise<{ trackingIds: string[]; excludedFrom: string[]; position: string | undefined }>;
  /** The webhook calls about a log that wait, and what providers said of its messages: an erasure removes them. */
  listCalls(environmentId: string, trackingId: string): Promise<Item[]>;
  /** Reads the next `limit` entries of the environment's feeds for one person, newest first; see `eraseShard`. */
  erasePage(person: ErasedPerson, options: PageOptions & { feedShards: number }): Promise<ErasedPage>;
  /**
   * Erases the data of people of an environment from their logs among the next `limit` entries of a shard of its feeds, newest
   * first, and from the digests that contained the logs. Reads only logs of entries tagged with one of the people. `position` is
   * where to continue, undefined at the end.
   */
  eraseShard(people: readonly ErasedPerson[], feedPk: string, options: PageOptions): Promise<ErasedPage>;
  /** Erases one log, if it is the person's; returns what it was. Safe to repeat. */
  erase(person: ErasedPerson, trackingId: string, nowMs: number): Promise<ErasedLog[]>;
};

type PageOptions = { limit: number; after: string | undefined; nowMs: number };
/** `entries` and `logs` were read. */
type ErasedPage = {
  erased: ErasedLog[];
  position: string | undefined;
  entries: number;
  logs: number;
};

export const feedsOfPeople = (environmentId: string, feedShards: number) => [
  { environmentId, kind: OUTBOUND_FEED, shards: feedShards },
  ...[INBOUND_FEED, SMS_INBOUND_FEED, REFUSED_FEED].map((kind) => ({ environmentId, kind, shards: 1 })),
];

/** Longer than a delivery takes. */
const IN_PROGRESS_MS = 120_000;
const PARALLEL = 10;

function createLogErasures(sources: ErasureSources): LogErasures {
  return {
    erase: (person, trackingId, nowMs) => erase(sources, person, { trackingId, nowMs }),
    async listPage(person, { feedShards, limit, after }) {
      const feeds = feedsOfPeople(person.environmentId, feedShards);
      const entries = await sources.feeds.listNewestFirst(feeds, { limit, after });
      const heads = await headsAmong(sources, [person], entries);
      const topics = heads.filter((head) => isToTopic(person, head));
      const excluding = await inChunks(topics, PARALLEL, async (head) => {
        const { trackingId, request } = await sources.log.readHead(head);
        return request.to?.exclude?.includes(person.userId) ? [trackingId] : [];
      });
      return {
        excludedFrom: excluding.flat(),
        trackingIds: heads
          .filter((head) => isTheirs(person, head, false))
          .map((head) => trackingIdOfPk(keyOf(head).pk)),
        position: entries.length < limit ? undefined : entries.at(-1)?.position,
      };
    },
    async listCalls(environmentId, trackingId) {
      const items = await sources.table.queryAll(logPk(trackingId), '');
      return findCalls(
        sources,
        environmentId,
        trackingId,
        items.map(readLogItem).filter((item) => item !== undefined),
      );
    },
    async erasePage(person, { feedShards, ...options }) {
      const feeds = feedsOfPeople(person.environmentId, feedShards);
      return eraseAmong(sources, [person], await sources.feeds.listNewestFirst(feeds, options), options);
    },
    eraseShard: async (people, pk, options) =>
      eraseAmong(sources, people, await sources.feeds.listShard(pk, options), options),
  };
}

/** Finds the webhook calls about this log that wait for their next attempt, and what providers said of its messages. */
async function findCalls(
  sources: ErasureSources,
  environmentId: string,
  trackingId: string,
  items: readonly (HeadItem | EventItem)[],
): Promise<Item[]> {
  const keys = raisedStages(items).map(({ channel, ...rest }) =>
    webhookCallKey(
      webhookCallId(environmentId, trackingId, { prefix: channel && LOG_PREFIX[channel], ...rest }),
    ),
  );
  const routes = items.flatMap((item) => (item.kind === 'head' ? item.routes : []));
  keys.push(...routes.map(({ channel }) => providerCallKey(trackingId, channel)));
  const found = await sources.table.batchGet(keys, { consistent: true });
  return found.filter((call) => call !== undefined);
}

/** Ends the channels without an outcome, so that no retry finds a notification to send. */
async function endWaiting(
  sources: ErasureSources,
  items: readonly (HeadItem | EventItem)[],
  nowMs: number,
): Promise<boolean> {
  const head = items.find((item) => item.kind === 'head');
  const settled = items.filter((item) => item.kind === 'event' && SETTLED_STAGES.has(item.stage));
  const isSettled = (channel: Channel) =>
    settled.some((item) => item.kind === 'event' && item.channel === channel);
  if (!head) return false;
  // The channels of a scheduled notification were withdrawn together.
  const ended = head.state === 'accepted' ? ['SEND', 'BATCH', 'SCHEDULE'] : ['SEND', 'BATCH'];
  const waiting = head.routes.filter(
    ({ channel, routing }) => ended.includes(routing) && !isSettled(channel),
  );
  for (const { channel } of waiting) {
    const fields = cancelledFields(channel, nowMs);
    const event: LogEvent = { channel, stage: 'withheld', atMs: nowMs, fields };
    const item = await eventItem(head.trackingId, { ...head, userId: '' }, event);
    await sources.table.put(item, { condition: 'attribute_not_exists(pk)' });
  }
  return waiting.length > 0;
}

async function erase(
  sources: ErasureSources,
  person: ErasedPerson,
  { trackingId, nowMs }: { trackingId: string; nowMs: number },
  isCarrier = false,
): Promise<ErasedLog[]> {
  const items = await sources.table.queryAll(logPk(trackingId), '', { consistent: true });
  const head = items.find(({ sk }) => sk === 'HEAD');
  if (head && isToTopic(person, head)) return eraseExclusion(sources, [person], head);
  if (head?.copies && !isTheirs(person, head, isCarrier)) return eraseCopies(sources, [person], head);
  const isBlank = head?.u === '' && head.e === person.environmentId;
  if (!head || !(isBlank || isTheirs(person, head, isCarrier))) return [];
  const events = items.filter((item) => item !== head);
  const read = items.map(readLogItem).filter((item) => item !== undefined);
  const named = events.filter(({ u }) => u !== '');
  const isWaiting = await endWaiting(sources, read, person.atMs);
  await forgetReason(sources, head, named);
  await Promise.all(named.map((event) => blankEvent(sources, event)));
  const calls = await findCalls(sources, person.environmentId, trackingId, read);
  await Promise.all(calls.map((call) => sources.table.delete(keyOf(call))));
  const carried: ErasedLog[] = [];
  for (const event of events) {
    const carrier: { trackingId?: unknown } = Object(event.c);
    if (typeof carrier.trackingId === 'string')
      carried.push(...(await erase(sources, person, { trackingId: carrier.trackingId, nowMs }, true)));
  }
  // The head last: an interrupted erasure finds the log by it.
  const isUnchanged = await blankHead(sources, head, person);
  const isRecent = named.some(({ at }) => Number(at) > nowMs - IN_PROGRESS_MS);
  return [
    { userId: person.userId, trackingId, mayChange: isWaiting || isRecent || !isUnchanged },
    ...carried,
  ];
}

const namesOf = ({ userId, addresses, formerOf = [] }: ErasedPerson) => [
  ...new Set([userId, ...addresses, ...formerOf]),
];

async function headsAmong(
  { table }: ErasureSources,
  people: readonly ErasedPerson[],
  entries: readonly FeedEntry[],
): Promise<Item[]> {
  const tags = new Set(
    people.flatMap((person) =>
      namesOf(person).map((userId) => feedTag({ environmentId: person.environmentId, userId })),
    ),
  );
  const mayName = entries.filter(({ position }) => {
    const tag = tagOfFeedSk(position);
    return tag === undefined || tags.has(tag);
  });
  const pks = [...new Set(mayName.map(({ key }) => key.pk))];
  const heads = await table.batchGet(pks.map((pk) => ({ pk, sk: 'HEAD' })));
  return heads.filter((head) => head !== undefined);
}

async function eraseAmong(
  sources: ErasureSources,
  people: readonly ErasedPerson[],
  entries: readonly FeedEntry[],
  { limit, nowMs }: PageOptions,
): Promise<ErasedPage> {
  const byName = Map.groupBy(
    people.flatMap((person) => namesOf(person).map((name) => ({ name, person }))),
    ({ name }) => name,
  );
  const known = await headsAmong(sources, people, entries);
  const erased: ErasedLog[] = [];
  await inChunks(known, PARALLEL, async (head) => {
    const leftOut = people.filter((person) => isToTopic(person, head));
    if (leftOut.length > 0) erased.push(...(await eraseExclusion(sources, leftOut, head)));
    const named = byName.get(String(head.u))?.find(({ person }) => isTheirs(person, head, false));
    if (!named) return void erased.push(...(await eraseCopies(sources, people, head)));
    const log = { trackingId: trackingIdOfPk(keyOf(head).pk), nowMs };
    erased.push(...(await erase(sources, named.person, log)));
  });
  const position = entries.length < limit ? undefined : entries.at(-1)?.position;
  return { erased, position, entries: entries.length, logs: known.length };
}

function isToTopic({ environmentId, atMs }: ErasedPerson, head: Item): boolean {
  return head.e === environmentId && head.topic !== undefined && !head.parent && requestedAtMs(head) <= atMs;
}

/** A topic's log lists the users whom its notification left out. It is erased again only if it was changing. */
async function eraseExclusion(
  sources: ErasureSources,
  people: readonly ErasedPerson[],
  head: Item,
): Promise<ErasedLog[]> {
  const left = await blankExclusion(sources, head, new Set(people.map(({ userId }) => userId)));
  return left.map((userId) => ({ userId, trackingId: String(head.trackingId), mayChange: true }));
}

/** The log of an email with copies names the people who got them. */
async function eraseCopies(
  sources: ErasureSources,
  people: readonly ErasedPerson[],
  head: Item,
): Promise<ErasedLog[]> {
  const theirs = people.filter(
    ({ environmentId, atMs }) => head.e === environmentId && requestedAtMs(head) <= atMs,
  );
  if (!head.copies || head.u === '' || theirs.length === 0) return [];
  const outcome = await blankCopies(
    sources,
    head,
    theirs.flatMap(({ addresses }) => addresses),
  );
  const log = { trackingId: String(head.trackingId), mayChange: outcome === 'again' };
  return outcome === 'none' ? [] : theirs.map(({ userId }) => ({ userId, ...log }));
}

/** A scheduled notification may have been given to another user since it was accepted. */
const requestedAtMs = ({ moved, at }: Item) => Number(moved ?? at);

/** A message that is not a reply has a separate log, whose user is its sender's address. */
function isTheirs(person: ErasedPerson, head: Item, isCarrier: boolean): boolean {
  if (head.e !== person.environmentId || (requestedAtMs(head) > person.atMs && !isCarrier)) return false;
  const isAddressed = (address: unknown) =>
    typeof address === 'string' &&
    [address, mailboxOf(address)].some((each) => person.addresses.includes(each));
  return (
    head.u === person.userId ||
    (!head.n && isAddressed(head.u)) ||
    (person.formerOf?.includes(String(head.u)) === true && (isAddressed(head.mail) || isAddressed(head.num)))
  );
}

type Raised = { channel?: Channel; stage: Stage; seq?: string | undefined };

/** The stages of a log that a webhook may have been called for. */
function raisedStages(items: readonly (HeadItem | EventItem)[]): Raised[] {
  const reached = items.flatMap((item): Raised[] => {
    if (item.kind === 'head')
      return [{ stage: 'accepted' }, ...item.routes.flatMap(({ channel }) => endsOf(channel))];
    const { channel, stage, seq, delivered } = item;
    const ends = stage === 'failed' || stage === 'withheld' ? endsOf(channel) : [];
    return [
      { channel, stage, seq },
      ...ends,
      ...(delivered ? [{ channel, stage: 'delivered' as const }] : []),
    ];
  });
  return reached.filter(({ channel, stage }) => webhookEventOf(channel, stage));
}

const endsOf = (channel: Channel): Raised[] => [
  { channel, stage: 'failed' },
  { channel, stage: 'withheld' },
];

export const logErasures = dependency('logErasures', () =>
  createLogErasures({
    table: resolve(database),
    feeds: resolve(feed),
    store: () => resolve(blobs),
    log: resolve(logs),
    sign: () => resolve(signer),
    suppressed: resolve(suppressions),
  }),
);
