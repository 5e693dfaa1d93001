import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { ConditionalOutcome, Database } from '../../shared/database/database.ts';
import type { Key } from '../../shared/database/keys.ts';
import { type Item, TABLE } from '../../shared/database/table.ts';
import type { TransactAction } from '../../shared/database/transactions.ts';
import { type Bindings, isMet, updated } from './expressions.ts';

/** A table in memory with the stream of its changes. */
export type MemoryTable = {
  database: Database;
  /** The next records of the stream, of partitions whose names begin with one of `prefixes`. */
  takeRecords(countMax: number, prefixes: readonly string[]): DynamoDBRecord[];
  /** Changes that nobody has taken yet. */
  size(): number;
  /** Every item under a partition, or of all whose name begins so. */
  list(prefix: string): Item[];
  /** Events of logs that were written more than once, and heads that were accepted so. */
  rewritten: string[];
  /** What waits for its time, earliest first. */
  waiting(): Item[];
  /** Deletes what has expired by then. */
  expire(nowMs: number): void;
  /** Records of the stream that nobody will take: those of items that `isLost` finds. */
  lose(isLost: (item: Item) => boolean): void;
};

type Change = { key: Key; item: Item | undefined; before: Item | undefined; sequence: number };
type Partition = Map<string, Item>;

export function createMemoryTable(): MemoryTable {
  const partitions = new Map<string, Partition>();
  /** Of each index: the items of a partition, by their key. */
  const indexes = new Map<string, Map<string, Item>>();
  const changes: Change[] = [];
  const rewritten: string[] = [];
  let isLost = (_: Item) => false;
  let sequence = 0;

  const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
  const find = ({ pk, sk }: Key) => partitions.get(pk)?.get(sk);
  const partitionOf = (pk: string) => [...(partitions.get(pk)?.values() ?? [])];
  const check = (condition: string | undefined, key: Key, bindings: Bindings) =>
    !condition || isMet(condition, find(key), bindings);

  function keepIndex(item: Item | undefined, change: (entries: Map<string, Item>, id: string) => void): void {
    if (!item) return;
    for (const [name, { partitionKey }] of Object.entries(TABLE.indexes)) {
      const value = item[partitionKey];
      if (value === undefined) continue;
      const at = `${name} ${value}`;
      const entries = indexes.get(at) ?? new Map<string, Item>();
      indexes.set(at, entries);
      change(entries, `${item.pk}\n${item.sk}`);
    }
  }

  function write(key: Key, given: Item | undefined): void {
    const before = find(key);
    const item = given && stored(given);
    if (!item && !before) return;
    if (item && sizeOf(item) > ITEM_BYTES_MAX)
      throw new Error('Item size has exceeded the maximum allowed size');
    const partition: Partition = partitions.get(key.pk) ?? new Map();
    partitions.set(key.pk, partition);
    if (item) partition.set(key.sk, item);
    else partition.delete(key.sk);
    keepIndex(before, (entries, id) => entries.delete(id));
    keepIndex(item, (entries, id) => item && entries.set(id, item));
    if (before && item && isAgain(before, item)) rewritten.push(key.sk);
    sequence += 1;
    if (!item || !isLost(item)) changes.push({ key, item, before, sequence });
  }

  function conditional(
    key: Key,
    options: Bindings & { condition?: string },
    after: () => Item | undefined,
  ): ConditionalOutcome {
    const current = find(key);
    if (!check(options.condition, key, options))
      return { written: false, current: current && structuredClone(current) };
    const item = after();
    write(key, item);
    return { written: true, item: item ? structuredClone(find(key)) : current };
  }

  const database: Database = {
    get: async (key) => structuredClone(find(key)),
    batchGet: async (keys) => keys.map((key) => structuredClone(find(key))),
    async batchPut(all) {
      for (const item of all) write(keyOf(item), item);
      return [];
    },
    put: async (item, options = {}) => conditional(keyOf(item), options, () => item),
    update: async (key, expression, options = {}) =>
      conditional(key, options, () => updated(expression, find(key) ?? { ...key }, options)),
    delete: async (key, options = {}) => conditional(key, options, () => undefined),
    async query(input) {
      const index = input.IndexName as keyof typeof TABLE.indexes | undefined;
      const sortKey = index ? TABLE.indexes[index].sortKey : TABLE.sortKey;
      const values = input.ExpressionAttributeValues ?? {};
      const bindings = { names: input.ExpressionAttributeNames ?? {}, values };
      // Every query of this service names its partition `:pk`.
      const name = String(values[':pk']);
      const all = index ? [...(indexes.get(`${index} ${name}`)?.values() ?? [])] : partitionOf(name);
      const found = sorted(
        all.filter((item) => isMet(String(input.KeyConditionExpression), item, bindings)),
        sortKey,
      );
      const isBackward = input.ScanIndexForward === false;
      if (isBackward) found.reverse();
      const from = input.ExclusiveStartKey;
      const isBehind = (item: Item) =>
        !from || (isBackward ? isAfter(from, item, sortKey) : isAfter(item, from, sortKey));
      const first = found.findIndex(isBehind);
      const start = first < 0 ? found.length : first;
      const end = input.Limit === undefined ? found.length : Math.min(found.length, start + input.Limit);
      const page = found.slice(start, end);
      const filter = input.FilterExpression;
      const last = end < found.length ? page.at(-1) : undefined;
      return {
        items: structuredClone(filter ? page.filter((item) => isMet(filter, item, bindings)) : page),
        lastKey: last && { ...keyOf(last), [sortKey]: last[sortKey] },
      };
    },
    queryAll: async (pk, prefix) =>
      structuredClone(
        sorted(
          partitionOf(pk).filter(({ sk }) => String(sk).startsWith(prefix)),
          'sk',
        ),
      ),
    async transact(actions) {
      const failed = actions.flatMap((action, index) => {
        const key = keyOfAction(action);
        if (check(action.condition, key, action)) return [];
        return [{ index, current: structuredClone(find(key)) }];
      });
      if (failed.length > 0) return { written: false, conflict: false, failed };
      for (const action of actions) {
        const key = keyOfAction(action);
        if ('put' in action) write(key, action.put);
        else if ('update' in action) write(key, updated(action.expression, find(key) ?? { ...key }, action));
        else if ('delete' in action) write(key, undefined);
      }
      return { written: true };
    },
  };

  function keyOfAction(action: TransactAction): Key {
    if ('put' in action) return keyOf(action.put);
    if ('update' in action) return action.update;
    return 'delete' in action ? action.delete : action.check;
  }

  return {
    database,
    rewritten,
    takeRecords: (countMax, prefixes) =>
      changes
        .splice(0, countMax)
        .filter(({ key }) => prefixes.some((prefix) => key.pk.startsWith(prefix)))
        .map(recordOf),
    size: () => changes.length,
    expire(nowMs) {
      const all = [...partitions.values()].flatMap((items) => [...items.values()]);
      for (const item of all) if (Number(item.expiresAt) * 1000 <= nowMs) write(keyOf(item), undefined);
    },
    lose(next) {
      isLost = next;
    },
    list: (prefix) =>
      [...partitions].flatMap(([pk, items]) => (pk.startsWith(prefix) ? [...items.values()] : [])),
    waiting: () =>
      [...indexes]
        .filter(([name]) => name.startsWith('due DUE#'))
        .flatMap(([, entries]) => [...entries.values()])
        .sort((left, right) => (String(left.dueSk) < String(right.dueSk) ? -1 : 1)),
  };
}

const ITEM_BYTES_MAX = 400 * 1024;

/** About the size of an item: what makes one large are texts and bytes. */
function sizeOf(item: Item): number {
  const sizes = Object.values(item).map((value) => {
    if (value instanceof Uint8Array) return value.byteLength;
    return typeof value === 'string' ? value.length : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** As the document client stores it: no undefined at the top, nothing shared with the caller. */
function stored(item: Item): Item {
  const copy = structuredClone(item);
  for (const [name, value] of Object.entries(copy)) if (value === undefined) delete copy[name];
  return copy;
}

/** An event is written once. So is an accepted head, but that it may be kept longer, or erased. */
function isAgain(before: Item, item: Item): boolean {
  if (String(item.sk).startsWith('EVENT#')) return true;
  const isSame = before.u === item.u && before.expiresAt === item.expiresAt;
  return item.sk === 'HEAD' && before.state === 'accepted' && item.state === 'accepted' && isSame;
}

function sorted(items: Item[], sortKey: string): Item[] {
  return items.sort((left, right) => (isAfter(left, right, sortKey) ? 1 : -1));
}

/** In the order of the sort key; an index may have it twice. */
function isAfter(left: Item, right: Item, sortKey: string): boolean {
  const [one, other] = [String(left[sortKey]), String(right[sortKey])];
  return one === other ? `${left.pk}\n${left.sk}` > `${right.pk}\n${right.sk}` : one > other;
}

type StreamImage = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/** The SDK and `aws-lambda` describe one and the same wire form. */
const imageOf = (item: Item) => marshall(item, { removeUndefinedValues: true }) as StreamImage;

function recordOf({ key, item, before, sequence }: Change): DynamoDBRecord {
  return {
    eventName: item ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE',
    dynamodb: {
      Keys: imageOf({ ...key }),
      ...(item ? { NewImage: imageOf(item) } : {}),
      SequenceNumber: String(sequence),
    },
  };
}
