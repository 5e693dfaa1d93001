import { TABLE } from '../../../shared/database/table.ts';
import { keyOfItem } from './checks.ts';
import { checkBindings, isMet, projected } from './expressions.ts';
import type { Bindings } from './operands.ts';
import { type Entry, order, type Store } from './store.ts';
import { invalid, type WireItem } from './values.ts';

type Read = Bindings & {
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExclusiveStartKey?: WireItem;
  Limit?: number;
};
type Query = Read & {
  IndexName?: string;
  KeyConditionExpression: string;
  ScanIndexForward?: boolean;
  ConsistentRead?: boolean;
};

const PAGE_BYTES_MAX = 1024 * 1024;

/** One page of a partition, of the table or of an index. */
export function query(store: Store, input: Query): object {
  const { KeyConditionExpression: condition, FilterExpression, ProjectionExpression } = input;
  checkBindings([condition, FilterExpression, ProjectionExpression], input);
  const index = indexOf(input.IndexName);
  if (index && input.ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const { partitionKey, sortKey } = index ? TABLE.indexes[index] : TABLE;
  const name = partitionIn(condition, partitionKey, input);
  // A condition that no item can meet is rejected, even if there is none.
  isMet(condition, {}, input);
  const found = store.partition(index, name).filter(({ item }) => isMet(condition, item, input));
  if (input.ScanIndexForward === false) found.reverse();
  return page(
    found,
    input,
    (start) => {
      const from = { ...keyOfItem(start), sort: start[sortKey]?.S ?? '' };
      const isBefore = input.ScanIndexForward === false ? -1 : 1;
      return (entry: Entry) => order(entry, from) * isBefore > 0;
    },
    [partitionKey, sortKey],
  );
}

/** One page of the whole table. */
export function scan(store: Store, input: Read & { ConsistentRead?: boolean }): object {
  checkBindings([input.FilterExpression, input.ProjectionExpression], input);
  return page(
    [...store.all()],
    input,
    (start) => {
      const { pk, sk } = keyOfItem(start);
      let isPassed = false;
      return (entry: Entry) => {
        const isAfter = isPassed;
        isPassed ||= entry.pk === pk && entry.sk === sk;
        return isAfter;
      };
    },
    [],
  );
}

/** Entries after the start key, up to the limit and to 1 MB, before the filter; the last key if there may be more. */
function page(
  entries: readonly Entry[],
  input: Read,
  after: (start: WireItem) => (entry: Entry) => boolean,
  keyNames: readonly string[],
): object {
  const { ExclusiveStartKey: start, Limit = Number.POSITIVE_INFINITY, FilterExpression: filter } = input;
  if (Limit < 1) throw invalid('Limit must be greater than or equal to 1');
  const rest = start ? entries.filter(after(start)) : entries;
  let count = 0;
  for (let bytes = 0; count < rest.length && count < Limit && bytes <= PAGE_BYTES_MAX; count += 1)
    bytes += rest[count]?.bytes ?? 0;
  const read = rest.slice(0, count);
  const last = count < rest.length || count === Limit ? read.at(-1) : undefined;
  const items = read.map(({ item }) => item).filter((item) => !filter || isMet(filter, item, input));
  const { ProjectionExpression: projection } = input;
  return {
    Items: projection ? items.map((item) => projected(projection, item, input)) : items,
    Count: items.length,
    ScannedCount: read.length,
    ...(last
      ? { LastEvaluatedKey: keysOf(last.item, [TABLE.partitionKey, TABLE.sortKey, ...keyNames]) }
      : {}),
  };
}

function keysOf(item: WireItem, names: readonly string[]): WireItem {
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
}

function indexOf(name: string | undefined): keyof typeof TABLE.indexes | undefined {
  if (name === undefined) return undefined;
  if (name in TABLE.indexes) return name as keyof typeof TABLE.indexes;
  throw invalid(`The table does not have the specified index: ${name}`);
}

/** The partition in a key condition: `pk = :value`, with any condition of the sort key. */
function partitionIn(condition: string, partitionKey: string, bindings: Bindings): string {
  const [, name, value = ''] = /^\s*([#\w]+)\s*=\s*(:\w+)/.exec(condition) ?? [];
  const attribute = name?.startsWith('#') ? bindings.ExpressionAttributeNames?.[name] : name;
  const text = bindings.ExpressionAttributeValues?.[value]?.S;
  if (attribute !== partitionKey || text === undefined)
    throw invalid(`Query condition missed key schema element: ${partitionKey}`);
  return text;
}
