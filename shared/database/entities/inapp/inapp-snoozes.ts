import * as v from 'valibot';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import type { Key } from '../../keys/key.ts';
import { inappKey, SNOOZE_PREFIX, snoozeKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import type { ErasureMarks } from '../erasure/erasure-marks.ts';
import { findMoved, hasMark, type InappItem, packedItem, readItem } from './inapp-item.ts';
import type { InappPosition } from './inapp-items.ts';

/** A snoozed item is kept at least this long after it returns. */
const KEPT_SECONDS = 7 * DAY_SECONDS;

const StoredSnooze = v.object({
  trackingId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  /** The notification's time, under which the item was stored first. */
  atMs: v.number(),
  /** Until when it is snoozed; absent once it has returned. */
  untilMs: v.optional(v.number()),
  sinceMs: v.number(),
});
type StoredSnooze = v.InferOutput<typeof StoredSnooze>;

type SnoozeScope = { environmentId: string; userId: string };

type ReturnedItem = SnoozeScope & { item: InappItem };

/** In-app items that are out of sight until a time. */
function createInappSnoozes(table: Database) {
  return {
    /**
     * Snoozes the item until a time, or ends the snooze with null; returns the item, undefined if it does not
     * exist.
     */
    snooze: (
      scope: SnoozeScope,
      position: InappPosition,
      untilMs: number | null,
      nowMs: number,
    ): Promise<InappItem | undefined> => snooze(table, { scope, position, untilMs, nowMs }),
    /**
     * Returns the user's due items to the list: unread, and at the top by their new time. Each returns once
     * under concurrency; items that were deleted or snoozed again in the meantime are unchanged.
     */
    returnDue: (pk: string, nowMs: number, marks: Pick<ErasureMarks, 'places'>): Promise<ReturnedItem[]> =>
      returnDue({ table, marks }, pk, nowMs),
  };
}

const read = (table: Database, key: Key) => table.get(key, { consistent: true });

/** The item's first key, the key that it has now, and the item. */
async function locate(
  table: Database,
  { environmentId, userId }: SnoozeScope,
  { trackingId, atMs }: InappPosition,
) {
  const first = inappKey(environmentId, userId, isoOf(atMs), trackingId);
  const item = await read(table, first);
  const moved = findMoved(item);
  if (!moved) return { first, key: first, item, isSeen: false };
  const key = { ...first, sk: moved.movedTo };
  return { first, key, item: await read(table, key), isSeen: moved.isSeen };
}

async function removeRecord(table: Database, record: StoredSnooze): Promise<void> {
  const { environmentId, userId, trackingId, untilMs } = record;
  await table.delete(snoozeKey(environmentId, userId, trackingId), {
    condition: 'untilMs = :until',
    values: { ':until': untilMs },
  });
}

type ReturnSources = { table: Database; marks: Pick<ErasureMarks, 'places'> };

async function returnOne(
  { table, marks }: ReturnSources,
  record: StoredSnooze,
  nowMs: number,
): Promise<InappItem | typeof AGAIN | undefined> {
  const { environmentId, userId, trackingId, untilMs = 0, sinceMs } = record;
  const { first, key, item, isSeen } = await locate(table, record, record);
  if (item?.snoozedUntil !== isoOf(untilMs)) {
    await removeRecord(table, record);
    return undefined;
  }
  const { snoozedUntil: _, opened: __, archived: ___, version = 1, ...rest } = readItem(item);
  const returned = { ...rest, date: isoOf(nowMs), version: version + 1 };
  const next = inappKey(environmentId, userId, returned.date, trackingId);
  const { expiresAt } = item;
  const trace = { ...first, movedTo: next.sk, isSeen: isSeen || hasMark(item), expiresAt };
  const unchanged = asRead(item);
  const moves: TransactAction[] =
    key.sk === first.sk ? [{ put: trace, ...unchanged }] : [{ delete: key, ...unchanged }, { put: trace }];
  const erased = await marks.places(environmentId, userId);
  const outcome = await table.transact([
    {
      put: { ...snoozeKey(environmentId, userId, trackingId), ...record, untilMs: undefined, expiresAt },
      condition: 'untilMs = :until',
      values: { ':until': untilMs },
    },
    // The deletion mark precedes the removal: either the removal finds this write, or this finds the mark.
    ...erased.map((check) => ({
      check,
      condition: 'attribute_not_exists(pk) OR erasedAtMs < :since',
      values: { ':since': sinceMs },
    })),
    { put: { ...next, ...packedItem(returned), expiresAt } },
    ...moves,
  ]);
  if (outcome.written) return returned;
  const failed = outcome.failed.map(({ index }) => index);
  if (!failed.some((index) => index > 0 && index <= erased.length))
    return failed.includes(0) ? undefined : AGAIN;
  await removeRecord(table, record);
  return undefined;
}

function snooze(
  table: Database,
  {
    scope,
    position,
    untilMs,
    nowMs,
  }: { scope: SnoozeScope; position: InappPosition; untilMs: number | null; nowMs: number },
): Promise<InappItem | undefined> {
  return untilSettled(async () => {
    const { environmentId, userId } = scope;
    const { trackingId, atMs } = position;
    const { key, item } = await locate(table, scope, position);
    if (!item || Number(item.expiresAt) * 1000 <= nowMs) return undefined;
    const record = snoozeKey(environmentId, userId, trackingId);
    const { version = 1 } = readItem(item);
    const asVersion = {
      condition:
        'attribute_exists(pk) AND attribute_not_exists(movedTo) AND (attribute_not_exists(#version) OR #version = :version)',
      names: { '#version': 'version' },
    };
    const values = { ':version': version, ':next': version + 1 };
    if (untilMs === null) {
      if (item.snoozedUntil === undefined) return readItem(item);
      const shown = await table.transact([
        { update: key, expression: 'SET #version = :next REMOVE snoozedUntil', ...asVersion, values },
        { update: record, expression: 'REMOVE untilMs, duePk, dueSk' },
      ]);
      return shown.written ? withoutSnooze({ ...readItem(item), version: version + 1 }) : AGAIN;
    }
    const expiresAt = Math.max(Number(item.expiresAt), secondsAfter(untilMs, KEPT_SECONDS));
    const until = isoOf(untilMs);
    const stored = { trackingId, ...scope, atMs, untilMs, sinceMs: nowMs, expiresAt };
    const due = dueKeys(untilMs, shardOf(trackingId, DUE_SHARDS), record.pk);
    const hidden = await table.transact([
      {
        update: key,
        expression: 'SET snoozedUntil = :until, expiresAt = :expires, expDate = :expires, #version = :next',
        ...asVersion,
        values: { ':until': until, ':expires': expiresAt, ...values },
      },
      { put: { ...record, ...stored, ...due } },
    ]);
    const changed = { snoozedUntil: until, expDate: expiresAt, version: version + 1 };
    return hidden.written ? { ...readItem(item), ...changed } : AGAIN;
  });
}

async function returnDue(sources: ReturnSources, pk: string, nowMs: number): Promise<ReturnedItem[]> {
  const items = await sources.table.queryAll(pk, SNOOZE_PREFIX, { consistent: true });
  const due = readEach(items, (item) => readStored('snooze', StoredSnooze, item)).filter(
    ({ untilMs = Number.POSITIVE_INFINITY }) => untilMs <= nowMs,
  );
  const returned: ReturnedItem[] = [];
  for (const record of due) {
    const { environmentId, userId } = record;
    const item = await untilSettled(() => returnOne(sources, record, nowMs));
    if (item) returned.push({ environmentId, userId, item });
  }
  return returned;
}

function withoutSnooze({ snoozedUntil: _, ...item }: InappItem): InappItem {
  return item;
}

/** The condition that a snoozed item is as it was read: a mark that is set in the meantime is not lost. */
function asRead(item: Item) {
  const names = ['snoozedUntil', 'opened', 'clicked', 'archived', 'actioned1', 'actioned2', 'reply'];
  const present = names.filter((name) => item[name] !== undefined);
  const terms = names.map((name) =>
    present.includes(name) ? `#${name} = :${name}` : `attribute_not_exists(#${name})`,
  );
  return defined({
    condition: terms.join(' AND '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(present.map((name) => [`:${name}`, item[name]])),
  });
}

export const inappSnoozes = dependency('inappSnoozes', () => createInappSnoozes(resolve(database)));
