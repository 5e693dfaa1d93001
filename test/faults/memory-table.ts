import type { DynamoDBRecord } from 'aws-lambda';
import { isSameItem } from '../../infra/local/database/embedded/values/compare.ts';
import type { WireItem } from '../../infra/local/database/embedded/values/wire.ts';
import { fromWireItem } from '../../infra/local/database/embedded/wire-form.ts';
import { openEmbeddedTable } from '../../infra/local/database/embedded-table.ts';
import { createDatabase, type Database } from '../../shared/database/database.ts';
import { type Item, TABLE } from '../../shared/database/table.ts';

/** A table in memory with the stream of its changes. */
export type MemoryTable = {
  database: Database;
  /** The next records of the stream's partitions that `isOwn` finds, with a prefix in `prefixes`. */
  takeRecords(countMax: number, prefixes: readonly string[], isOwn?: IsOwn): DynamoDBRecord[];
  /** Changes that nobody has taken yet. */
  size(isOwn?: IsOwn): number;
  find(key: { pk: string; sk: string }): Item | undefined;
  /** Every item of the partitions whose name begins so. */
  list(prefix: string): Item[];
  /** Events of logs that were written more than once, and heads that were accepted so. */
  rewritten: string[];
  /** Returns items that are due later, earliest first. */
  waiting(): Item[];
  /** Returns the sort keys of those. */
  dueTimes(): string[];
  /** Deletes what has expired by then. */
  expire(nowMs: number): void;
  /** Everything stored, and a table that begins with it. */
  copy(): WireItem[];
  fill(items: readonly WireItem[]): void;
  /** Records of the stream that are lost: records of items that `isLost` finds. */
  lose(isLost: (item: Item) => boolean): void;
};

type IsOwn = (pk: string) => boolean;

/** A record of the stream. */
type Change = { sequence: number; key: WireItem; before: WireItem | undefined; after: WireItem | undefined };

const NAME = 'notifications';
const { partitionKey, sortKey } = TABLE.indexes.due;

export function createMemoryTable(): MemoryTable {
  const rewritten: string[] = [];
  /** The items by partition, in the order of their first writes. */
  const partitions = new Map<string, Map<string, WireItem>>();
  const due = new Map<string, WireItem>();
  let unread: Change[] = [];
  let isLost: ((item: Item) => boolean) | undefined;
  let sequence = 0;
  const { engine, client } = openEmbeddedTable({
    file: ':memory:',
    tableName: NAME,
    // The stream is read from here: a log in SQL takes as long as the item.
    isStreamed: false,
    onWrite(_, { key, before, after }) {
      const { pk, sk } = { pk: textOf(key.pk), sk: textOf(key.sk) };
      if (isAgain(sk, before, after)) rewritten.push(sk);
      if (before !== after && !(before && after && isSameItem(before, after))) {
        sequence += 1;
        if (!(after && isLost?.(fromWireItem(after)))) unread.push({ sequence, key, before, after });
      }
      const items = partitions.get(pk) ?? new Map<string, WireItem>();
      partitions.set(pk, items);
      if (after) items.set(sk, after);
      else items.delete(sk);
      if (after?.[partitionKey] && after[sortKey]) due.set(`${pk} ${sk}`, after);
      else due.delete(`${pk} ${sk}`);
    },
  });
  engine.table(NAME).setTimeToLive(TABLE.ttlAttribute);
  const dueFirst = () =>
    [...due.values()].sort((left, right) => (textOf(left[sortKey]) < textOf(right[sortKey]) ? -1 : 1));

  const database = createDatabase(client, NAME);
  const isDue = (shard: unknown) => [...due.values()].some((item) => item[partitionKey]?.S === shard);

  return {
    database: {
      ...database,
      // A sweep reads all shards: nearly all are empty.
      query: async (input) =>
        input.IndexName === 'due' && !isDue(input.ExpressionAttributeValues?.[':pk'])
          ? { items: [], lastKey: undefined }
          : database.query(input),
    },
    rewritten,
    takeRecords(countMax, prefixes, isOwn = () => true) {
      const taken = new Set(unread.filter((change) => isOwn(pkOf(change))).slice(0, countMax));
      unread = unread.filter((change) => !taken.has(change));
      return [...taken]
        .filter((change) => prefixes.some((prefix) => pkOf(change).startsWith(prefix)))
        .map(recordOf);
    },
    size: (isOwn = () => true) => unread.filter((change) => isOwn(pkOf(change))).length,
    copy: () => [...partitions.values()].flatMap((items) => [...items.values()]),
    fill(items) {
      engine.performAll(items.map((Item) => ({ operation: 'PutItem', input: { TableName: NAME, Item } })));
    },
    expire: (nowMs) => void engine.expire(NAME, nowMs),
    lose(next) {
      isLost = next;
    },
    find({ pk, sk }) {
      const item = partitions.get(pk)?.get(sk);
      return item && fromWireItem(item);
    },
    list: (prefix) =>
      [...partitions].flatMap(([pk, items]) =>
        pk.startsWith(prefix) ? [...items.values()].map(fromWireItem) : [],
      ),
    waiting: () => dueFirst().map(fromWireItem),
    dueTimes: () => dueFirst().map((item) => textOf(item[sortKey])),
  };
}

const textOf = (value: WireItem[string] | undefined): string => value?.S ?? '';
const pkOf = ({ key }: Change): string => textOf(key.pk);

/** An event is written once. So is an accepted head, but that it may be kept longer, or erased. */
function isAgain(sk: string, before: WireItem | undefined, after: WireItem | undefined): boolean {
  if (!before || !after) return false;
  if (sk.startsWith('EVENT#')) return true;
  const isSame = before.u?.S === after.u?.S && before.expiresAt?.N === after.expiresAt?.N;
  return sk === 'HEAD' && before.state?.S === 'accepted' && after.state?.S === 'accepted' && isSame;
}

function recordOf({ key, before, after, sequence }: Change): DynamoDBRecord {
  const eventName = after ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE';
  // The engine and `aws-lambda` describe one and the same wire form.
  const dynamodb = { Keys: key, ...(after ? { NewImage: after } : {}), SequenceNumber: String(sequence) };
  return { eventName, dynamodb } as DynamoDBRecord;
}
