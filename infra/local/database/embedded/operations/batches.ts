import { pathsOf, projected } from '../expressions/projections.ts';
import { invalid, unreadable } from '../rejected.ts';
import type { TableDefinition } from '../storage/definition.ts';
import type { KeyColumns } from '../storage/keys.ts';
import type { TableStore } from '../storage/table-store.ts';
import { checkParameters } from '../tables/parameters.ts';
import type { WireItem } from '../values/wire.ts';
import {
  addConsumed,
  type Consumed,
  capacitiesOf,
  nothingConsumed,
  readUnits,
  writeUnits,
} from './capacity.ts';
import { checkedKey, checkedPut, fittingSize, type Keyed } from './item-checks.ts';
import { type GivenExpressions, readExpressions } from './requests.ts';
import { collectionMetrics } from './writes.ts';

const READS_MAX = 100;
const WRITES_MAX = 25;
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

type KeysOfTable = GivenExpressions & { Keys?: unknown[]; ConsistentRead?: boolean };
type WriteRequest = { PutRequest?: { Item?: unknown }; DeleteRequest?: { Key?: unknown } };
export type BatchInput<T> = {
  RequestItems?: Record<string, T>;
  ReturnConsumedCapacity?: string;
  ReturnItemCollectionMetrics?: string;
};
type StoreOf = (tableName: string) => TableStore;

/** Reads items by their keys, up to 16 MB: the keys of the rest are returned. */
export function batchGet(storeOf: StoreOf, input: BatchInput<KeysOfTable>): object {
  const tables = Object.entries(requestItems(input, 'BatchGetItem'));
  checkReadCounts(tables);
  const reads = tables.map(([name, request]) => readsOf(storeOf(name), name, request));
  const Responses: Record<string, WireItem[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  const consumed = new Map<TableDefinition, Consumed>();
  let bytes = 0;
  for (const { name, store, request, keyed, shown } of reads) {
    const found: WireItem[] = [];
    let done = 0;
    for (const { key } of keyed) {
      const stored = store.find(key);
      const size = stored?.bytes ?? 0;
      if (bytes + size > RESPONSE_BYTES_MAX) break;
      bytes += size;
      done += 1;
      if (stored) found.push(shown(stored.item));
      add(consumed, store.definition, readUnits(size, request.ConsistentRead === true));
    }
    Responses[name] = found;
    if (done < keyed.length)
      UnprocessedKeys[name] = { ...request, Keys: keyed.slice(done).map(({ item }) => item) };
  }
  return { Responses, UnprocessedKeys, ...capacitiesOf(consumed, input.ReturnConsumedCapacity) };
}

function readsOf(store: TableStore, name: string, request: KeysOfTable) {
  checkParameters('KeysAndAttributes', request);
  const { projection, bindings } = readExpressions(request, ['ProjectionExpression']);
  const keyed = (request.Keys ?? []).map((key) => checkedKey(store.definition, key));
  rejectDuplicates(keyed);
  const paths = projection && pathsOf(projection, bindings);
  const shown = (item: WireItem) => (paths ? projected(item, paths) : item);
  return { name, store, request, keyed, shown };
}

function checkReadCounts(tables: readonly [string, KeysOfTable][]): void {
  for (const [name, { Keys }] of tables) {
    if (!Array.isArray(Keys))
      throw invalid(
        `1 validation error detected: Value null at 'requestItems.${name}.member.keys' failed to satisfy constraint: Member must not be null`,
      );
    const at = `1 validation error detected: Value at 'RequestItems.${name}.member.Keys' failed to satisfy constraint: Member must have length`;
    if (Keys.length > READS_MAX) throw invalid(`${at} less than or equal to ${READS_MAX}`);
    if (Keys.length === 0) throw invalid(`${at} greater than or equal to 1`);
  }
  const count = tables.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
  if (count > READS_MAX) throw invalid('Too many items requested for the BatchGetItem call');
}

/** Puts and deletes items; all are checked before the first is written. */
export function batchWrite(storeOf: StoreOf, input: BatchInput<WriteRequest[]>): object {
  const tables = Object.entries(requestItems(input, 'BatchWriteItem'));
  checkWriteCounts(tables);
  const writes = tables.map(([name, requests]) => {
    const store = storeOf(name);
    const planned = requests.map((request) => writeOf(store.definition, request));
    rejectDuplicates(planned);
    return { name, store, planned };
  });
  const consumed = new Map<TableDefinition, Consumed>();
  const ItemCollectionMetrics: Record<string, object[]> = {};
  const isCounted = (input.ReturnConsumedCapacity ?? 'NONE') !== 'NONE';
  for (const { name, store, planned } of writes) {
    for (const { key, item, bytes, isPut } of planned) {
      const before = store.find(key);
      const after = isPut ? { item, bytes } : undefined;
      store.write(key, before, after);
      if (isCounted) add(consumed, store.definition, writeUnits(store.definition, before?.item, after?.item));
      const metrics = Object.values(collectionMetrics(store, input.ReturnItemCollectionMetrics, item));
      if (metrics.length > 0)
        ItemCollectionMetrics[name] = [...(ItemCollectionMetrics[name] ?? []), ...metrics];
    }
  }
  return {
    UnprocessedItems: {},
    ...(Object.keys(ItemCollectionMetrics).length > 0 ? { ItemCollectionMetrics } : {}),
    ...capacitiesOf(consumed, input.ReturnConsumedCapacity),
  };
}

type PlannedWrite = Keyed & { bytes: number; isPut: boolean };

/** A member is a put or a delete. */
function writeOf(table: TableDefinition, { PutRequest, DeleteRequest }: WriteRequest): PlannedWrite {
  if (Boolean(PutRequest) === Boolean(DeleteRequest))
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  const keyed = PutRequest ? checkedPut(table, PutRequest.Item) : checkedKey(table, DeleteRequest?.Key);
  const bytes = fittingSize(keyed.item);
  return { ...keyed, bytes, isPut: PutRequest !== undefined };
}

function checkWriteCounts(tables: readonly [string, WriteRequest[]][]): void {
  const counts = tables.map(([, requests]) => requests.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (counts.every((count) => count > 0) && counts.every((count) => count <= WRITES_MAX)) {
    if (total <= WRITES_MAX) return;
    throw invalid('Too many items requested for the BatchWriteItem call');
  }
  const dump = tables.map(([name, requests]) => `${name}=[${requests.map(() => 'WriteRequest').join(', ')}]`);
  throw invalid(
    `1 validation error detected: Value '{${dump.join(', ')}}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to ${WRITES_MAX}, Member must have length greater than or equal to 1]`,
  );
}

function requestItems<T>({ RequestItems: items }: BatchInput<T>, operation: string): Record<string, T> {
  if (items !== undefined && (typeof items !== 'object' || Array.isArray(items)))
    throw unreadable('Unexpected field type');
  if (!items || Object.keys(items).length === 0)
    throw invalid(`The requestItems parameter is required for ${operation}`);
  return items;
}

function rejectDuplicates(keyed: readonly Keyed[]): void {
  if (new Set(keyed.map(({ key }) => nameOf(key))).size < keyed.length)
    throw invalid('Provided list of item keys contains duplicates');
}

export function nameOf(key: KeyColumns): string {
  return JSON.stringify(
    key.map((part) => (typeof part === 'string' ? part : { B: Buffer.from(part).toString('hex') })),
  );
}

function add(all: Map<TableDefinition, Consumed>, table: TableDefinition, more: number | Consumed): void {
  const sum = all.get(table) ?? nothingConsumed();
  all.set(table, sum);
  addConsumed(sum, typeof more === 'number' ? { table: more, indexes: new Map() } : more);
}
