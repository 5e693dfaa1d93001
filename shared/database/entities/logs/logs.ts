import { blobs } from '../../../blobs/blobs.ts';
import type { Blobs } from '../../../blobs/blobs-port.ts';
import type { LogEvent, LogHead } from '../../../domain/logs/log.ts';
import type { Progress } from '../../../domain/routing/steps.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
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
import { digestEvents, eventsOf, findHead, findLog, type LogParts } from './log-reads.ts';

export type Logs = ReturnType<typeof createLogs>;

export function createLogs(table: Database, store: () => Blobs) {
  const { headItem, readHead } = createHeadItems(store, (trackingId) => table.get(headKey(trackingId)));
  const parts: LogParts = { table, store, headItem, readHead };
  return {
    ...bound(parts, {
      listDigestEvents: digestEvents,
      accept: acceptHead,
      find: findLog,
      replaceScheduled,
      findHead,
      keepHead,
    }),

    /** The head's item, for writes that commit together with others. */
    headItem,

    /** Reads a head from a stream record or a batch. */
    readHead,

    /** True if a notification was cancelled, by a consistent read. */
    async isCancelled(trackingId: string): Promise<boolean> {
      const item = await table.get(headKey(trackingId), { consistent: true });
      return item?.state === 'cancelled';
    },

    /** True if the user of a notification was erased from its log, by a consistent read. */
    async isErased(trackingId: string): Promise<boolean> {
      const item = await table.get(headKey(trackingId), { consistent: true });
      return item?.u === '';
    },

    /**
     * The items of heads in the order requested, for `readHead`, by one batch read; undefined if unknown or
     * expired.
     */
    async findHeadItems(trackingIds: readonly string[], nowMs: number): Promise<(Item | undefined)[]> {
      const items = await table.batchGet(trackingIds.map(headKey), { consistent: true });
      return items.map((item) => (item && !isExpired(item, nowMs, { isHidden: true }) ? item : undefined));
    },

    /**
     * The head of a notification that was sent some time ago: it no longer changes, so an eventual read at half
     * the cost is enough.
     */
    async findSentHead(trackingId: string, nowMs: number): Promise<StoredLogHead | undefined> {
      const item = await table.get(headKey(trackingId));
      if (item?.state !== 'accepted') return findHead(parts, trackingId, nowMs);
      return isExpired(item, nowMs) ? undefined : readHead(item);
    },

    /**
     * Keeps and shows the log of a notification that waits until `untilMs` at least as long after that time as after its
     * acceptance. Returns the head with these times. Loaded here: only what waits is kept longer.
     */
    prolong: async (head: StoredLogHead, untilMs: number): Promise<StoredLogHead> =>
      (await import('./log-prolonging.ts')).prolong(parts, head, untilMs),

    /** Removes the object of a sensitive request that the written item replaced. */
    async removeReplaced({ isSensitive, blob }: StoredLogHead, written: Item): Promise<void> {
      if (isSensitive && blob !== undefined && blob !== written.blob) await store().delete(blob);
    },

    /** Lists the events of one channel, or of the whole notification. */
    async listEvents(trackingId: string, channel: Channel | undefined): Promise<LogEvent[]> {
      const items = await table.queryAll(logPk(trackingId), eventPrefix(channel), { consistent: true });
      return eventsOf(items);
    },

    /** The item of that record, to be written with others. */
    progressItem,

    /**
     * Appends the next progress record of a notification, due at `dueAtMs`. False if another writer was first:
     * of a starting step and a cancellation, exactly one is recorded.
     */
    appendProgress: (
      trackingId: string,
      owner: EventOwner,
      progress: Progress,
      times: { atMs: number; dueAtMs: number | undefined },
    ): Promise<boolean> => appendOnce(parts, progressItem(trackingId, owner, progress, times)),

    /**
     * Appends an event once: false if it exists. `preview` is the sent content, packed, for `<prefix>_preview`. If it
     * has a cost, that is appended as a separate event: an append that threw may lack it until it is repeated.
     */
    append: (
      trackingId: string,
      owner: EventOwner,
      event: LogEvent,
      preview?: Uint8Array,
    ): Promise<boolean> => appendEvent(parts, { trackingId, owner, event, preview }),
  };
}

/**
 * Appends the head; returns the stored one if the tracking ID exists. `feedShards` spreads the newest-first
 * feed.
 */
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

/**
 * The write that replaces a waiting head with `head`: it succeeds only if the stored one is still in the
 * same state at the same revision, so that exactly one of cancellation, rescheduling and due time wins.
 */
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

/** Puts off the removal of a head until `untilSeconds`, epoch, without showing it longer; false when it is gone. */
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
