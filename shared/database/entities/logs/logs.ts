import { blobs } from '../../../blobs/blobs.ts';
import type { Blobs } from '../../../blobs/blobs-port.ts';
import type { LogEvent, LogHead } from '../../../domain/logs/log.ts';
import type { Progress } from '../../../domain/routing/steps.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { Channel } from '../../../schemas/channel.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { logPk } from '../../keys/key.ts';
import { eventPrefix, headKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { appendEvent, appendOnce } from './log-appends.ts';
import { isErasedHead, isExpired, type StoredLogHead } from './log-head.ts';
import { createHeadItems, logDueKeys } from './log-head-items.ts';
import { type EventOwner, eventItem } from './log-items.ts';
import { carriedEvents, eventsOf, findHead, findLog, type Log, type LogParts } from './log-reads.ts';

export type Logs = {
  /**
   * Appends the head; returns the stored one if the tracking ID exists. `feedShards` spreads the newest-first
   * feed.
   */
  accept(
    head: LogHead,
    options: { feedShards: number; expiresAtSeconds: number },
  ): Promise<{ accepted: true } | { accepted: false; stored: StoredLogHead }>;
  /** The head's item, for writes that commit together with others. */
  headItem(head: LogHead, options: { feedShards: number; expiresAtSeconds: number }): Promise<Item>;
  /**
   * The write that replaces a waiting head with `head`: it succeeds only if the stored one is still in the
   * same state at the same revision, so that exactly one of cancellation, rescheduling and due time wins.
   */
  replaceScheduled(
    head: StoredLogHead,
    feedShards: number,
    from?: 'scheduled' | 'fanning',
  ): Promise<TransactAction & { put: Item }>;
  /** True if a notification was cancelled, by a consistent read. */
  isCancelled(trackingId: string): Promise<boolean>;
  /** True if the user of a notification was erased from its log, by a consistent read. */
  isErased(trackingId: string): Promise<boolean>;
  /** Reads a head from a stream record or a batch. */
  readHead(item: Item): Promise<StoredLogHead>;
  /**
   * One notification's log by one consistent Query; undefined if unknown or expired. With `isHidden`, also
   * one whose retention has ended but which is kept because its outcome may be missing.
   */
  find(trackingId: string, nowMs: number, options?: { isHidden: boolean }): Promise<Log | undefined>;
  /** The head alone, by one consistent GetItem; undefined when unknown or expired. */
  findHead(trackingId: string, nowMs: number): Promise<StoredLogHead | undefined>;
  /**
   * The items of heads in the order requested, for `readHead`, by one batch read; undefined if unknown or
   * expired.
   */
  findHeadItems(trackingIds: readonly string[], nowMs: number): Promise<(Item | undefined)[]>;
  /**
   * The head of a notification that was sent some time ago: it no longer changes, so an eventual read at half
   * the cost is enough.
   */
  findSentHead(trackingId: string, nowMs: number): Promise<StoredLogHead | undefined>;
  /** Puts off the removal of a head until `untilSeconds`, epoch, without showing it longer; false when it is gone. */
  keepHead(trackingId: string, untilSeconds: number): Promise<boolean>;
  /**
   * Keeps and shows the log of a notification that waits until `untilMs` at least as long after that time as after its
   * acceptance. Returns the head with these times.
   */
  prolong(head: StoredLogHead, untilMs: number): Promise<StoredLogHead>;
  /** Removes the object of a sensitive request that the written item replaced. */
  removeReplaced(head: StoredLogHead, written: Item): Promise<void>;
  /** Lists the events of one channel, or of the whole notification. */
  listEvents(trackingId: string, channel: Channel | undefined): Promise<LogEvent[]>;
  /**
   * Appends an event once: false if it exists. `preview` is the sent content, packed, for `<prefix>_preview`. If it
   * has a cost, that is appended as a separate event: an append that threw may lack it until it is repeated.
   */
  append(trackingId: string, owner: EventOwner, event: LogEvent, preview?: Uint8Array): Promise<boolean>;
  /** Lists the stages of the digests that contain the notification of these events. */
  listCarried(events: readonly LogEvent[], nowMs: number): Promise<LogEvent[]>;
  /**
   * Appends the next progress record of a notification, due at `dueAtMs`. False if another writer was first:
   * of a starting step and a cancellation, exactly one is recorded.
   */
  appendProgress(
    trackingId: string,
    owner: EventOwner,
    progress: Progress,
    times: { atMs: number; dueAtMs: number | undefined },
  ): Promise<boolean>;
  /** The item of that record, to be written with others. */
  progressItem(
    trackingId: string,
    owner: EventOwner,
    progress: Progress,
    times: { atMs: number; dueAtMs: number | undefined },
  ): Promise<Item>;
};

export function createLogs(table: Database, store: () => Blobs): Logs {
  const { headItem, readHead } = createHeadItems(store, (trackingId) => table.get(headKey(trackingId)));
  const parts: LogParts = { table, store, headItem, readHead };
  return {
    listCarried: (events, nowMs) => carriedEvents(parts, events, nowMs),
    headItem,
    readHead,
    accept: (head, options) => acceptHead(parts, head, options),
    find: (trackingId, nowMs, options) => findLog(parts, trackingId, nowMs, options),

    async isCancelled(trackingId) {
      const item = await table.get(headKey(trackingId), { consistent: true });
      return item?.state === 'cancelled';
    },

    async isErased(trackingId) {
      const item = await table.get(headKey(trackingId), { consistent: true });
      return item?.u === '';
    },

    replaceScheduled: (head, feedShards, from) => replaceScheduled(parts, head, feedShards, from),

    findHead: (trackingId, nowMs) => findHead(parts, trackingId, nowMs),

    async findHeadItems(trackingIds, nowMs) {
      const items = await table.batchGet(trackingIds.map(headKey), { consistent: true });
      return items.map((item) => (item && !isExpired(item, nowMs, { isHidden: true }) ? item : undefined));
    },

    async findSentHead(trackingId, nowMs) {
      const item = await table.get(headKey(trackingId));
      if (item?.state !== 'accepted') return findHead(parts, trackingId, nowMs);
      return isExpired(item, nowMs) ? undefined : readHead(item);
    },

    keepHead: (trackingId, untilSeconds) => keepHead(parts, trackingId, untilSeconds),
    // Only what waits is kept longer.
    prolong: async (head, untilMs) => (await import('./log-prolonging.ts')).prolong(parts, head, untilMs),

    async removeReplaced({ isSensitive, blob }, written) {
      if (isSensitive && blob !== undefined && blob !== written.blob) await store().delete(blob);
    },

    async listEvents(trackingId, channel) {
      const items = await table.queryAll(logPk(trackingId), eventPrefix(channel), { consistent: true });
      return eventsOf(items);
    },

    progressItem,

    appendProgress: (trackingId, owner, progress, times) =>
      appendOnce(parts, progressItem(trackingId, owner, progress, times)),
    append: (trackingId, owner, event, preview) => appendEvent(parts, { trackingId, owner, event, preview }),
  };
}

async function acceptHead(
  parts: LogParts,
  head: LogHead,
  options: { feedShards: number; expiresAtSeconds: number },
): Promise<{ accepted: true } | { accepted: false; stored: StoredLogHead }> {
  const outcome = await parts.table.put(await parts.headItem(head, options), {
    condition: 'attribute_not_exists(pk)',
  });
  if (outcome.written || !outcome.current) return { accepted: true };
  return { accepted: false, stored: await parts.readHead(outcome.current) };
}

async function replaceScheduled(
  parts: LogParts,
  head: StoredLogHead,
  feedShards: number,
  from: 'scheduled' | 'fanning' = 'scheduled',
): Promise<TransactAction & { put: Item }> {
  const { expiresAtSeconds, revision = 0 } = head;
  const next = { ...head, revision: revision + 1 };
  return {
    put: await parts.headItem(next, { feedShards, expiresAtSeconds }),
    condition: '#state = :from AND rev = :revision',
    names: { '#state': 'state' },
    values: { ':from': from, ':revision': revision },
  };
}

async function keepHead(parts: LogParts, trackingId: string, untilSeconds: number): Promise<boolean> {
  const outcome = await parts.table.update(
    headKey(trackingId),
    'SET shownUntil = if_not_exists(shownUntil, expiresAt), expiresAt = :until',
    { condition: 'expiresAt < :until', values: { ':until': untilSeconds } },
  );
  return outcome.written || outcome.current !== undefined;
}

function progressItem(
  trackingId: string,
  owner: EventOwner,
  progress: Progress,
  { atMs, dueAtMs }: { atMs: number; dueAtMs: number | undefined },
): Promise<Item> {
  const seq = String(progress.count);
  const event: LogEvent = { channel: undefined, stage: 'progress', seq, atMs, fields: {}, progress };
  const waiting = { ...owner, trackingId, state: 'accepted' as const };
  return eventItem(trackingId, owner, event, logDueKeys(waiting, dueAtMs));
}

export function ownerOf(head: StoredLogHead): EventOwner {
  return {
    accountId: head.accountId,
    environmentId: head.environmentId,
    userId: head.userId,
    notificationId: head.notificationId,
    expiresAtSeconds: head.keptUntilSeconds ?? head.expiresAtSeconds,
    isDigest: head.digest !== undefined || undefined,
    hasMetadata: head.request.metadata !== undefined || undefined,
    startsOnFailure:
      head.steps?.some(({ when }) => when === 'undelivered') ||
      head.digest?.items.some((item) => item.startsOnFailure) ||
      undefined,
    isSensitive: head.isSensitive,
    isErased: isErasedHead(head) || undefined,
  };
}

export const logs = dependency('logs', () => createLogs(resolve(database), () => resolve(blobs)));
