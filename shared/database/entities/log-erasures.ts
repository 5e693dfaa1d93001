import { LOG_FOLDERS } from '../../blobs/blob-folders.ts';
import { blobFoldersOf } from '../../blobs/blob-life.ts';
import { blobs } from '../../blobs/blobs.ts';
import type { Blobs } from '../../blobs/blobs-port.ts';
import { cancelledFields } from '../../domain/channel-fields.ts';
import type { LogEvent } from '../../domain/log.ts';
import { webhookCallId, webhookEventOf } from '../../domain/webhook-event.ts';
import { inChunks } from '../../runtime/chunks.ts';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Channel, LOG_PREFIX } from '../../schemas/channel.ts';
import { SETTLED_STAGES, type Stage } from '../../schemas/stage.ts';
import { type Database, database } from '../database.ts';
import { webhookCallKey } from '../keys/environment.ts';
import { type Key, logPk, trackingIdOfPk } from '../keys/key.ts';
import { carrierKey } from '../keys/phone.ts';
import type { Item } from '../table.ts';
import { type Feed, feed } from './feed.ts';
import { OUTBOUND_FEED } from './log-head-items.ts';
import { type EventItem, eventItem, type HeadItem, readLogItem } from './log-items.ts';
import { INBOUND_FEED, SMS_INBOUND_FEED } from './messages.ts';
import { assignmentOf } from './update-expression.ts';

/** The user whose logs are erased, and the time until which they were accepted. */
type ErasedPerson = {
  environmentId: string;
  userId: string;
  addresses: readonly string[];
  atMs: number;
};

/** `mayChange`: a delivery may have been in progress, whose outcome is stored later. */
type ErasedLog = { trackingId: string; mayChange: boolean };

/** Blanks the logs of a person. */
export type LogErasures = {
  /**
   * Erases the person's data from their logs among the next `limit` entries of the environment's feeds,
   * newest first, and from the digests that contained them. `position` is where to continue, undefined at the
   * end.
   */
  erasePage(
    person: ErasedPerson,
    options: { limit: number; feedShards: number; after: string | undefined },
  ): Promise<{ erased: ErasedLog[]; position: string | undefined }>;
  /** Erases one log, if it is the person's; returns what it was. Safe to repeat. */
  erase(person: ErasedPerson, trackingId: string): Promise<ErasedLog[]>;
};

/** Longer than a delivery takes. */
const IN_PROGRESS_MS = 120_000;
const PARALLEL = 10;

/** Stored names: address, number, IP, agent, sub-notification, request, digest, reason of a failure. */
const PERSONAL_HEAD_FIELDS = [
  ...['mail', 'num', 'ip', 'ua', 'sub', 'hash'],
  ...['req', 'blob', 'digest', 'digestBlob', 'failedWhy'],
];

/** Fields that name no person: times, codes, and everything that is a number or a flag. */
const IMPERSONAL = /_(at|code|encoding|country|message_id|messageId|routing|routing_reason|skipped_reason)$/;

type Sources = { table: Database; feeds: Feed; store: () => Blobs };

function createLogErasures(table: Database, feeds: Feed, store: () => Blobs): LogErasures {
  const sources: Sources = { table, feeds, store };
  return {
    erase: (person, trackingId) => erase(sources, person, trackingId),
    erasePage: (person, options) => erasePage(sources, person, options),
  };
}

async function blankHead(sources: Sources, head: Item): Promise<void> {
  await removeBlobs(sources, [head.blob, head.digestBlob, ...(await replacedBlobs(sources, head))]);
  if (typeof head.num === 'string') await sources.table.delete(carrierKey(head.num));
  const blanked = Object.fromEntries(PERSONAL_HEAD_FIELDS.map((name) => [name, null]));
  await sources.table.update(keyOf(head), ...assignmentOf({ u: '', ...blanked }));
}

async function blankEvent(sources: Sources, event: Item): Promise<void> {
  await removeBlobs(sources, Array.isArray(event.blobs) ? event.blobs : []);
  const change = {
    u: '',
    f: impersonal(event.f),
    d: event.d && impersonal(event.d),
    record: event.record && bareRecord(event.record),
    ...{ p: null, blobs: null, verdicts: null },
  };
  await sources.table.update(keyOf(event), ...assignmentOf(change));
}

/** Removes the webhook calls about this log that wait for their next attempt. */
async function removeCalls(
  sources: Sources,
  environmentId: string,
  trackingId: string,
  items: readonly (HeadItem | EventItem)[],
): Promise<void> {
  const keys = raisedStages(items).map(({ channel, ...rest }) =>
    webhookCallKey(webhookCallId(environmentId, trackingId, { prefix: LOG_PREFIX[channel], ...rest })),
  );
  const waiting = (await sources.table.batchGet(keys, { consistent: true })).filter(
    (call) => call !== undefined,
  );
  await Promise.all(waiting.map((call) => sources.table.delete(keyOf(call))));
}

/** Names of objects that the head no longer names: of a changed request, or one that lost to another with its key. */
async function replacedBlobs(
  sources: Sources,
  { a, trackingId, blob, digestBlob, rev, hash }: Item,
): Promise<string[]> {
  if (!(blob || digestBlob || rev || hash)) return [];
  const folders = blobFoldersOf(LOG_FOLDERS, String(a));
  return (
    await Promise.all(folders.map((folder) => sources.store().list(`${folder}/${trackingId}-`)))
  ).flat();
}

async function removeBlobs(sources: Sources, names: readonly unknown[]): Promise<void> {
  await Promise.all(
    names.filter((name) => typeof name === 'string').map((name) => sources.store().delete(name)),
  );
}

/** Ends the channels without an outcome, so that no retry finds a notification to send. */
async function endWaiting(
  sources: Sources,
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
    const item = eventItem(head.trackingId, { ...head, userId: '' }, event);
    await sources.table.put(item, { condition: 'attribute_not_exists(pk)' });
  }
  return waiting.length > 0;
}

async function erase(
  sources: Sources,
  person: ErasedPerson,
  trackingId: string,
  isCarrier = false,
): Promise<ErasedLog[]> {
  const items = await sources.table.queryAll(logPk(trackingId), '', { consistent: true });
  const head = items.find(({ sk }) => sk === 'HEAD');
  const isBlank = head?.u === '' && head.e === person.environmentId;
  if (!head || !(isBlank || isTheirs(person, head, isCarrier))) return [];
  const events = items.filter((item) => item !== head);
  const read = items.map(readLogItem).filter((item) => item !== undefined);
  const isWaiting = await endWaiting(sources, read, person.atMs);
  await Promise.all(events.map((event) => blankEvent(sources, event)));
  await removeCalls(sources, person.environmentId, trackingId, read);
  const carried: ErasedLog[] = [];
  for (const event of events) {
    const carrier: { trackingId?: unknown } = Object(event.c);
    if (typeof carrier.trackingId === 'string')
      carried.push(...(await erase(sources, person, carrier.trackingId, true)));
  }
  // The head last: an interrupted erasure finds the log by it.
  await blankHead(sources, head);
  const isRecent = events.some(({ at }) => Number(at) > person.atMs - IN_PROGRESS_MS);
  return [{ trackingId, mayChange: isWaiting || isRecent }, ...carried];
}

async function erasePage(
  sources: Sources,
  person: ErasedPerson,
  { limit, feedShards, after }: { limit: number; feedShards: number; after: string | undefined },
): Promise<{ erased: ErasedLog[]; position: string | undefined }> {
  const { environmentId } = person;
  const keys = [
    { environmentId, kind: OUTBOUND_FEED, shards: feedShards },
    ...[INBOUND_FEED, SMS_INBOUND_FEED].map((kind) => ({ environmentId, kind, shards: 1 })),
  ];
  const entries = await sources.feeds.listNewestFirst(keys, { limit, after });
  const pks = [...new Set(entries.map(({ key }) => key.pk))];
  const heads = await sources.table.batchGet(pks.map((pk) => ({ pk, sk: 'HEAD' })));
  const ownPks = pks.filter((_, index) => {
    const head = heads[index];
    return head !== undefined && isTheirs(person, head, false);
  });
  const erased: ErasedLog[] = [];
  await inChunks(ownPks, PARALLEL, async (pk) => {
    erased.push(...(await erase(sources, person, trackingIdOfPk(pk))));
  });
  return { erased, position: entries.length < limit ? undefined : entries.at(-1)?.position };
}

/** A message that is not a reply has a separate log, whose user is its sender's address. */
function isTheirs(person: ErasedPerson, head: Item, isCarrier: boolean): boolean {
  // A scheduled notification may have been given to another user since it was accepted.
  const requestedAtMs = Number(head.moved ?? head.at);
  if (head.e !== person.environmentId || (requestedAtMs > person.atMs && !isCarrier)) return false;
  return head.u === person.userId || (!head.n && person.addresses.includes(String(head.u)));
}

function impersonal(fields: unknown): Item {
  const impersonalFields = Object.entries(Object(fields)).filter(
    ([name, value]) => typeof value === 'number' || typeof value === 'boolean' || IMPERSONAL.test(name),
  );
  return Object.fromEntries(impersonalFields);
}

function bareRecord(record: unknown): Item {
  const { trackingId, eventType, timestamp, epochMs, resolutionType }: Item = Object(record);
  return { trackingId, eventType, timestamp, epochMs, ...defined({ resolutionType }) };
}

type Raised = { channel: Channel; stage: Stage; seq?: string | undefined };

/** The stages of a log that a webhook may have been called for. */
function raisedStages(items: readonly (HeadItem | EventItem)[]): Raised[] {
  const reached = items.flatMap((item): Raised[] => {
    if (item.kind === 'head') return item.routes.map(({ channel }) => ({ channel, stage: 'failed' }));
    const { channel, stage, seq, delivered } = item;
    return [{ channel, stage, seq }, ...(delivered ? [{ channel, stage: 'delivered' as const }] : [])];
  });
  return reached.filter(({ channel, stage }) => webhookEventOf(channel, stage));
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

export const logErasures = dependency('logErasures', () =>
  createLogErasures(resolve(database), resolve(feed), () => resolve(blobs)),
);
