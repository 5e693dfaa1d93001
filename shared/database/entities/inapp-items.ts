import * as v from 'valibot';
import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { headKey, inappKey, userPk } from '../keys.ts';
import type { Item } from '../table.ts';
import { StoredHead } from './log-head.ts';
import { packContent, unpackContent } from './packed-content.ts';
import { readEach, readStored } from './stored.ts';

/** An in-app item as browsers get it. Absent marks are not set. */
export const InappItem = v.object({
  id: v.string(),
  trackingId: v.string(),
  notificationId: v.string(),
  subNotificationId: v.optional(v.string()),
  title: v.string(),
  redirectURL: v.optional(v.string()),
  imageURL: v.optional(v.string()),
  date: v.string(),
  parameters: v.optional(v.record(v.string(), v.unknown())),
  deliveryOptions: v.optional(v.record(v.string(), v.unknown())),
  template: v.optional(v.record(v.string(), v.unknown())),
  expDate: v.optional(v.number()),
  opened: v.optional(v.string()),
  clicked: v.optional(v.string()),
  archived: v.optional(v.string()),
  actioned1: v.optional(v.string()),
  actioned2: v.optional(v.string()),
  reply: v.optional(v.object({ date: v.string(), message: v.string() })),
});
export type InappItem = v.InferOutput<typeof InappItem>;

const StoredItem = v.object({ ...InappItem.entries, packed: v.optional(v.instance(Uint8Array)) });
const Packed = v.pick(InappItem, ['parameters', 'deliveryOptions', 'template']);

/**
 * The item as stored: values that callers choose are packed as JSON, since the table has no number over 1e126 and no item
 * over 400 KB. Parameters and template that do not fit even so are omitted.
 */
function packedItem({ parameters, deliveryOptions, template, ...rest }: InappItem): Item {
  const packed = packContent({ parameters, deliveryOptions, template }) ?? packContent({ deliveryOptions });
  return { ...rest, ...(packed ? { packed } : {}) };
}

/** Items of earlier versions are not packed. */
function readItem(item: Item): InappItem {
  const { packed, ...rest } = readStored('in-app item', StoredItem, item);
  return packed ? { ...rest, ...v.parse(Packed, unpackContent(packed).content) } : rest;
}

/** The marks a user sets on an item; times are ISO 8601. */
export const MARKS = ['opened', 'clicked', 'archived', 'actioned1', 'actioned2', 'reply'] as const;

/** Marks to set; null clears one, undefined leaves it. */
export type MarkChange = { [M in (typeof MARKS)[number]]?: InappItem[M] | null };

/** Where an item stands: its notification and that one's time, which is the item's `date`. */
export type InappPosition = { trackingId: string; atMs: number };

/** The time of a notification's in-app item: when it was received, or when its scheduled time came. */
export function inappTimeMs(head: { receivedAtMs: number; processedAtMs?: number }): number {
  return head.processedAtMs ?? head.receivedAtMs;
}

const StoredTimes = v.pick(StoredHead, ['trackingId', 'e', 'u', 'at', 'done']);

/** Access patterns of in-app items. An item past its expiry is never seen, whether or not the table dropped it yet. */
export type InappItems = {
  /** Stores an item once: false when it is there. */
  add(
    environmentId: string,
    userId: string,
    item: InappItem,
    atMs: number,
    expiresAtSeconds: number,
  ): Promise<boolean>;
  /**
   * At least `count` items before `beforeMs`, newest first, when there are as many; items of the last one's millisecond
   * come along, so that the next page before it misses none. `archived: false` leaves archived ones out.
   */
  listNewestFirst(
    environmentId: string,
    userId: string,
    options: { count: number; beforeMs?: number | undefined; archived: boolean; nowMs: number },
  ): Promise<InappItem[]>;
  /** How many items are neither opened nor archived. */
  countUnread(environmentId: string, userId: string, nowMs: number): Promise<number>;
  /** Marks every unread item as opened; those items as they are now, newest first. */
  openAll(environmentId: string, userId: string, nowMs: number): Promise<InappItem[]>;
  /** Where the user's items of these notifications stand, by the heads of their logs; foreign ones are left out. */
  findPositions(
    environmentId: string,
    userId: string,
    trackingIds: readonly string[],
  ): Promise<InappPosition[]>;
  /** Whether the user has opened, clicked, archived, actioned or replied to an item. */
  isSeen(environmentId: string, userId: string, position: InappPosition): Promise<boolean>;
  /** Sets and clears marks; the item as it is now, undefined when the user has no such item. */
  mark(
    environmentId: string,
    userId: string,
    position: InappPosition,
    change: MarkChange,
    nowMs: number,
  ): Promise<InappItem | undefined>;
};

type PageRead = { Limit?: number; ProjectionExpression?: string };

const UPDATES_AT_ONCE = 25;
/** Above every sort key of an item: digits end it. */
const AFTER_ALL = 'INAPP#~';

/** Builds the access patterns of in-app items. */
export function createInappItems(table: Database): InappItems {
  /** Pages of a user's items, newest first; `filter` names attributes as #opened and #archived. */
  async function* pages(pk: string, before: string, nowMs: number, filter: string, read: PageRead) {
    const names = [...filter.matchAll(/#(\w+)/g)].map(([name, attribute]) => [name, attribute]);
    let lastKey: Item | undefined;
    do {
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        FilterExpression: `#expiresAt > :now${filter}`,
        ExpressionAttributeNames: { '#expiresAt': 'expiresAt', ...Object.fromEntries(names) },
        ExpressionAttributeValues: {
          ':pk': pk,
          ':first': 'INAPP#',
          ':last': before,
          ':now': Math.floor(nowMs / 1000),
        },
        ...read,
        ScanIndexForward: false,
        ConsistentRead: true,
        ...(lastKey ? { ExclusiveStartKey: lastKey } : {}),
      });
      yield page.items;
      lastKey = page.lastKey;
    } while (lastKey);
  }

  const unread = (pk: string, nowMs: number) =>
    pages(pk, AFTER_ALL, nowMs, UNREAD, { ProjectionExpression: 'pk, sk' });

  return {
    async add(environmentId, userId, item, atMs, expiresAtSeconds) {
      const outcome = await table.put(
        {
          ...inappKey(environmentId, userId, isoOf(atMs), item.trackingId),
          ...packedItem(item),
          expiresAt: expiresAtSeconds,
        },
        { condition: 'attribute_not_exists(pk)' },
      );
      return outcome.written;
    },

    async listNewestFirst(environmentId, userId, { count, beforeMs, archived, nowMs }) {
      const before = beforeMs === undefined ? AFTER_ALL : `INAPP#${isoOf(beforeMs)}`;
      const listed: InappItem[] = [];
      const pk = userPk(environmentId, userId);
      for await (const page of pages(pk, before, nowMs, archived ? '' : IN_SIGHT, { Limit: count + 1 })) {
        for (const item of readEach(page, readItem)) {
          if (listed.length >= count && item.date !== listed.at(-1)?.date) return listed;
          listed.push(item);
        }
      }
      return listed;
    },

    async countUnread(environmentId, userId, nowMs) {
      let count = 0;
      for await (const page of unread(userPk(environmentId, userId), nowMs)) count += page.length;
      return count;
    },

    async openAll(environmentId, userId, nowMs) {
      const opened: InappItem[] = [];
      for await (const page of unread(userPk(environmentId, userId), nowMs)) {
        for (let start = 0; start < page.length; start += UPDATES_AT_ONCE) {
          const outcomes = await Promise.all(
            page.slice(start, start + UPDATES_AT_ONCE).map((item) =>
              table.update({ pk: String(item.pk), sk: String(item.sk) }, 'SET #opened = :opened', {
                condition: 'attribute_exists(pk) AND attribute_not_exists(#opened)',
                names: { '#opened': 'opened' },
                values: { ':opened': isoOf(nowMs) },
              }),
            ),
          );
          for (const outcome of outcomes) {
            if (outcome.written && outcome.item) opened.push(readItem(outcome.item));
          }
        }
      }
      return opened;
    },

    async findPositions(environmentId, userId, trackingIds) {
      const items = await table.batchGet(trackingIds.map(headKey), { consistent: true });
      return items
        .filter((item) => item !== undefined)
        .map((item) => readStored('log head', StoredTimes, item))
        .filter((head) => head.e === environmentId && head.u === userId)
        .map(({ trackingId, at, done }) => ({
          trackingId,
          atMs: inappTimeMs({ receivedAtMs: at, ...(done === undefined ? {} : { processedAtMs: done }) }),
        }));
    },

    async isSeen(environmentId, userId, { trackingId, atMs }) {
      const key = inappKey(environmentId, userId, isoOf(atMs), trackingId);
      const item = await table.get(key, { consistent: true });
      return item !== undefined && MARKS.some((mark) => item[mark] !== undefined);
    },

    async mark(environmentId, userId, { trackingId, atMs }, change, nowMs) {
      const outcome = await table.update(
        inappKey(environmentId, userId, isoOf(atMs), trackingId),
        ...markExpression(change, nowMs),
      );
      return outcome.written && outcome.item ? readItem(outcome.item) : undefined;
    },
  };
}

const IN_SIGHT = ' AND attribute_not_exists(#archived)';
const UNREAD = `${IN_SIGHT} AND attribute_not_exists(#opened)`;

function markExpression(change: MarkChange, nowMs: number) {
  const set: string[] = [];
  const removed: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ':now': Math.floor(nowMs / 1000) };
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
    ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
  ].join(' ');
  const options = { condition: 'attribute_exists(pk) AND expiresAt > :now', names, values };
  return [expression, options] as const;
}

/** In-app items of this deployment. */
export const inappItems = dependency('inappItems', () => createInappItems(resolve(database)));
