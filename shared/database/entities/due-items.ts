import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { DOMAIN_POLL_PK, DUE_SHARDS, duePk, dueTime, sweepKey } from '../keys.ts';
import type { Item } from '../table.ts';
import { readStored } from './stored.ts';

const MINUTE_MS = 60_000;
/** Minutes that are read again on every sweep, for entries that came in behind it. */
const LOOK_BACK_MS = 2 * MINUTE_MS;

/** Something whose time comes: the partition of its item, and when. */
export type DueItem = { pk: string; dueAtMs: number };

/** What waits for a time, by the sparse index `due`. */
export type DueItems = {
  /** Items due from `fromMs` to `toMs`, earliest first per shard; the shards are read side by side, page by page. */
  pagesBetween(fromMs: number, toMs: number): AsyncIterable<DueItem[]>;
  /** When the next thing after `afterMs` is due, domains to look at among them; undefined when nothing waits. */
  nextDueAtMs(afterMs: number): Promise<number | undefined>;
  /** The minute from which the next sweep must look: missed ticks are caught up from there. */
  sweepFrom(nowMs: number): Promise<number>;
  /** Remembers that everything before `minuteMs` was swept. */
  sweptUntil(minuteMs: number): Promise<void>;
};

const StoredSweep = v.object({ untilMs: v.number() });

/** Builds the access patterns on the table. */
export function createDueItems(table: Database): DueItems {
  async function readPage(shard: number, range: [string, string], startKey?: Record<string, unknown>) {
    const [from, to] = range;
    const page = await table.query({
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :pk AND dueSk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': duePk(shard), ':from': from, ':to': to },
      ...(startKey ? { ExclusiveStartKey: startKey } : {}),
    });
    const items = page.items.map((item): DueItem => ({ pk: String(item.pk), dueAtMs: dueAtMsOf(item) }));
    return { items, next: page.lastKey && { shard, startKey: page.lastKey } };
  }

  return {
    async *pagesBetween(fromMs, toMs) {
      const range: [string, string] = [dueTime(fromMs), dueTime(toMs + 1)];
      let reads: { shard: number; startKey?: Record<string, unknown> }[] = Array.from(
        { length: DUE_SHARDS },
        (_, shard) => ({ shard }),
      );
      while (reads.length > 0) {
        const pages = await Promise.all(reads.map(({ shard, startKey }) => readPage(shard, range, startKey)));
        const items = pages.flatMap((page) => page.items);
        if (items.length > 0) yield items;
        reads = pages.flatMap((page) => (page.next ? [page.next] : []));
      }
    },
    async nextDueAtMs(afterMs) {
      const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => duePk(shard));
      const pages = await Promise.all(
        [DOMAIN_POLL_PK, ...shards].map((pk) =>
          table.query({
            IndexName: 'due',
            KeyConditionExpression: 'duePk = :pk AND dueSk > :after',
            ExpressionAttributeValues: { ':pk': pk, ':after': dueTime(afterMs + 1) },
            Limit: 1,
          }),
        ),
      );
      const times = pages.flatMap((page) => page.items.map(dueAtMsOf));
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    async sweepFrom(nowMs) {
      const item = await table.get(sweepKey(), { consistent: true });
      const lookBackMs = minuteOf(nowMs) - LOOK_BACK_MS;
      return item ? Math.min(readStored('sweep', StoredSweep, item).untilMs, lookBackMs) : lookBackMs;
    },
    async sweptUntil(minuteMs) {
      await table.update(sweepKey(), 'SET untilMs = :until', {
        condition: 'attribute_not_exists(untilMs) OR untilMs < :until',
        values: { ':until': minuteMs },
      });
    },
  };
}

const dueAtMsOf = (item: Item) => Number(String(item.dueSk).slice(0, 13));

/** The start of the minute of `ms`. */
export const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** What waits in this deployment. */
export const dueItems = dependency('dueItems', () => createDueItems(resolve(database)));
