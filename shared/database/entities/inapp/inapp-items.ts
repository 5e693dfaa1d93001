import * as v from 'valibot';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { type Key, userPk } from '../../keys/key.ts';
import { headKey } from '../../keys/log.ts';
import { INAPP_PREFIX, inappKey, snoozeKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import { StoredHead } from '../logs/log-head.ts';
import {
  findMoved,
  hasMark,
  type InappItem,
  MARKS,
  type MarkChange,
  packedItem,
  readItem,
} from './inapp-item.ts';
import { AFTER_ALL, AWAKE, type PagesScope, readPages, unread, VIEWS } from './inapp-pages.ts';

/** The part of an update that makes the item newer than every copy of it. */
const NEXT_VERSION = {
  set: '#version = if_not_exists(#version, :one) + :one',
  names: { '#version': 'version' },
  values: { ':one': 1 },
};

/** The update that sets and clears marks of an item that has not expired and is where it was. */
function markExpression(change: MarkChange, nowMs: number) {
  const set: string[] = [NEXT_VERSION.set];
  const removed: string[] = [];
  const names: Record<string, string> = { ...NEXT_VERSION.names };
  const values: Record<string, unknown> = { ':now': Math.floor(nowMs / 1000), ...NEXT_VERSION.values };
  for (const mark of MARKS) {
    const value = change[mark];
    if (value === undefined) continue;
    names[`#${mark}`] = mark;
    if (value === null) removed.push(`#${mark}`);
    else {
      set.push(`#${mark} = :${mark}`);
      values[`:${mark}`] = value;
    }
  }
  const expression = [
    `SET ${set.join(', ')}`,
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
  ].join(' ');
  const options = {
    condition: 'attribute_exists(pk) AND expiresAt > :now AND attribute_not_exists(movedTo)',
    names,
    values,
  };
  return [expression, options] as const;
}

/** The first key of an item: its notification and the notification's time. */
export type InappPosition = { trackingId: string; atMs: number };

/** The time in the key of a notification's in-app item: when the notification was received, or when it was due. */
export function inappTimeMs(head: { receivedAtMs: number; processedAtMs?: number }): number {
  return head.processedAtMs ?? head.receivedAtMs;
}

const StoredTimes = v.pick(StoredHead, ['trackingId', 'e', 'u', 'at', 'done']);

const StoredPosition = v.object({ trackingId: v.string(), atMs: v.number() });

function readPosition(item: Item): InappPosition {
  return readStored('snooze', StoredPosition, item);
}

/**
 * Access patterns of in-app items. An expired item is never returned, whether or not the table has deleted it
 * yet.
 */
export type InappItems = ReturnType<typeof createInappItems>;

type UnreadOptions = { nowMs: number; subNotificationId?: string | undefined };

type ListOptions = UnreadOptions & {
  count: number;
  beforeMs?: number | undefined;
  view: keyof typeof VIEWS;
};

type AddedItem = {
  environmentId: string;
  userId: string;
  item: InappItem;
  atMs: number;
  expiresAtSeconds: number;
};

type MarkedItem = {
  environmentId: string;
  userId: string;
  position: InappPosition;
  change: MarkChange;
  nowMs: number;
};

const UPDATES_AT_ONCE = 25;
const SPARSE_READ = 200;
function createInappItems(table: Database) {
  return {
    /**
     * Stores an item once, at its `date`; returns it as it is stored. One that is sent later than its notification, as a step
     * is, is found by a trace at `atMs`.
     */
    add: (added: AddedItem): Promise<InappItem> => addItem(table, added),
    /**
     * At least `count` items before `beforeMs`, newest first, if there are as many. Includes all items with the last item's
     * millisecond, so that the next page misses none.
     */
    listNewestFirst: (environmentId: string, userId: string, options: ListOptions): Promise<InappItem[]> =>
      listNewestFirst(table, environmentId, userId, options),

    /** The number of items that are neither opened nor archived. */
    async countUnread(environmentId: string, userId: string, options: UnreadOptions): Promise<number> {
      let count = 0;
      const scope = { pk: userPk(environmentId, userId), ...options };
      for await (const page of unread(table, scope)) count += page.length;
      return count;
    },

    /** Marks every unread item as opened; those items as they are now, newest first. */
    openAll: (environmentId: string, userId: string, options: UnreadOptions): Promise<InappItem[]> =>
      openAll(table, { pk: userPk(environmentId, userId), ...options }),
    /** The keys of the user's items of these notifications, by the heads of their logs. Omits items of other users. */
    findPositions: (
      environmentId: string,
      userId: string,
      trackingIds: readonly string[],
    ): Promise<InappPosition[]> => findPositions(table, environmentId, userId, trackingIds),
    /** True if the user has opened, clicked, archived, actioned or replied to an item. */
    isSeen: (environmentId: string, userId: string, position: InappPosition): Promise<boolean> =>
      isSeen(table, environmentId, userId, position),
    /** Sets and clears marks; the item as it is now, undefined when the user has no such item. */
    mark: (marked: MarkedItem): Promise<InappItem | undefined> => markItem(table, marked),
  };
}

async function addItem(
  table: Database,
  { environmentId, userId, item, atMs, expiresAtSeconds }: AddedItem,
): Promise<InappItem> {
  const first = inappKey(environmentId, userId, isoOf(atMs), item.trackingId);
  const key = inappKey(environmentId, userId, item.date, item.trackingId);
  const expiresAt = expiresAtSeconds;
  const stored = { ...key, ...packedItem(item), expiresAt };
  const isNew = { condition: 'attribute_not_exists(pk)' };
  if (key.sk === first.sk) {
    const outcome = await table.put(stored, isNew);
    if (outcome.written || outcome.current === undefined) return item;
    return (await readMoved(table, first, outcome.current)) ?? item;
  }
  const trace = { ...first, movedTo: key.sk, isSeen: false, expiresAt };
  const outcome = await table.transact([{ put: trace, ...isNew }, { put: stored }]);
  if (outcome.written) return item;
  return (await readMoved(table, first, outcome.failed[0]?.current)) ?? item;
}

/** Reads an item from its first key's, which may be the trace of one that was moved. */
async function readMoved(table: Database, first: Key, found: Item | undefined) {
  const moved = findMoved(found);
  const item = moved ? await table.get({ ...first, sk: moved.movedTo }, { consistent: true }) : found;
  return item && readItem(item);
}

async function listNewestFirst(
  table: Database,
  environmentId: string,
  userId: string,
  { count, beforeMs, view, ...options }: ListOptions,
): Promise<InappItem[]> {
  const before = beforeMs === undefined ? AFTER_ALL : `${INAPP_PREFIX}${isoOf(beforeMs)}`;
  const listed: InappItem[] = [];
  const pk = userPk(environmentId, userId);
  const isSparse = !['all', 'inSight'].includes(view) || options.subNotificationId !== undefined;
  for await (const page of readPages(table, {
    pk,
    before,
    ...options,
    filter: VIEWS[view],
    // Those of the other views lie between them.
    read: { Limit: isSparse ? Math.max(count + 1, SPARSE_READ) : count + 1 },
  })) {
    for (const item of readEach(page, readItem)) {
      if (listed.length >= count && item.date !== listed.at(-1)?.date) return listed;
      listed.push(item);
    }
  }
  return listed;
}

async function openAll(table: Database, scope: PagesScope): Promise<InappItem[]> {
  const { nowMs } = scope;
  const opened: InappItem[] = [];
  for await (const page of unread(table, scope)) {
    const outcomes = await inChunks(page, UPDATES_AT_ONCE, (item) =>
      table.update(
        { pk: String(item.pk), sk: String(item.sk) },
        `SET #opened = :opened, ${NEXT_VERSION.set}`,
        {
          condition: `attribute_exists(pk) AND attribute_not_exists(#opened)${AWAKE}`,
          names: {
            '#opened': 'opened',
            '#snoozedUntil': 'snoozedUntil',
            '#movedTo': 'movedTo',
            ...NEXT_VERSION.names,
          },
          values: { ':opened': isoOf(nowMs), ...NEXT_VERSION.values },
        },
      ),
    );
    const written = outcomes.flatMap((outcome) => (outcome.written && outcome.item ? [outcome.item] : []));
    opened.push(...readEach(written, readItem));
  }
  return opened;
}

async function findPositions(
  table: Database,
  environmentId: string,
  userId: string,
  trackingIds: readonly string[],
): Promise<InappPosition[]> {
  const items = await table.batchGet(trackingIds.map(headKey), { consistent: true });
  const outlived = trackingIds.filter((_, index) => items[index] === undefined);
  const heads = items
    .filter((item) => item !== undefined)
    .map((item) => readStored('log head', StoredTimes, item))
    .filter((head) => head.e === environmentId && head.u === userId)
    .map(({ trackingId, at, done }) => ({
      trackingId,
      atMs: inappTimeMs({ receivedAtMs: at, ...defined({ processedAtMs: done }) }),
    }));
  if (outlived.length === 0) return heads;
  // A snoozed item may be kept longer than its log.
  const keys = outlived.map((trackingId) => snoozeKey(environmentId, userId, trackingId));
  const snoozes = await table.batchGet(keys, { consistent: true });
  return [
    ...heads,
    ...readEach(
      snoozes.filter((item) => item !== undefined),
      readPosition,
    ),
  ];
}

async function isSeen(
  table: Database,
  environmentId: string,
  userId: string,
  { trackingId, atMs }: InappPosition,
): Promise<boolean> {
  const key = inappKey(environmentId, userId, isoOf(atMs), trackingId);
  const item = await table.get(key, { consistent: true });
  const moved = findMoved(item);
  if (!moved) return hasMark(item);
  return moved.isSeen || hasMark(await table.get({ ...key, sk: moved.movedTo }, { consistent: true }));
}

async function markItem(
  table: Database,
  { environmentId, userId, position: { trackingId, atMs }, change, nowMs }: MarkedItem,
): Promise<InappItem | undefined> {
  const first = inappKey(environmentId, userId, isoOf(atMs), trackingId);
  const update = (key: Key) => table.update(key, ...markExpression(change, nowMs));
  const outcome = await update(first);
  if (outcome.written) return outcome.item && readItem(outcome.item);
  let moved = findMoved(outcome.current);
  while (moved) {
    const again = await update({ ...first, sk: moved.movedTo });
    if (again.written) return again.item && readItem(again.item);
    const next = findMoved(await table.get(first, { consistent: true }));
    // It can have been moved once more in the meantime.
    moved = next?.movedTo === moved.movedTo ? undefined : next;
  }
  return undefined;
}

export const inappItems = dependency('inappItems', () => createInappItems(resolve(database)));
