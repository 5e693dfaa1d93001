import { isDeepStrictEqual } from 'node:util';
import { TABLE } from '../../../shared/database/table.ts';
import { compareText, sizeOf, textOf, type WireItem } from './values.ts';

/** The key of an item in the table. */
export type TableKey = { pk: string; sk: string };
type IndexName = keyof typeof TABLE.indexes;

/** An item at its place in the table or in an index. */
export type Entry = TableKey & { sort: string; item: WireItem; bytes: number };

/** A change of an item: `after` is undefined if it was deleted. */
export type Change = TableKey & {
  sequence: number;
  before: WireItem | undefined;
  after: WireItem | undefined;
};

/** The items of a table, its indexes, and the changes in the order of their writes. */
export type Store = {
  find(key: TableKey): WireItem | undefined;
  /** Stores or, without an item, deletes. A write that changes nothing is no change. */
  write(key: TableKey, item: WireItem | undefined): void;
  /** Entries of a partition of the table, or of an index, in the order of their sort key. */
  partition(index: IndexName | undefined, name: string): readonly Entry[];
  /** All items, partition by partition. */
  all(): Iterable<Entry>;
  changes: readonly Change[];
};

/** `onWrite` is called for every write, even if it changes nothing. */
export function createStore(onWrite: (write: Omit<Change, 'sequence'>) => void = () => {}): Store {
  const partitions = new Map<string, Entry[]>();
  const indexes = new Map<string, Entry[]>();
  const changes: Change[] = [];

  function find({ pk, sk }: TableKey): WireItem | undefined {
    const entries = partitions.get(pk) ?? [];
    const entry = entries[positionOf(entries, { pk, sk, sort: sk })];
    return entry?.sk === sk ? entry.item : undefined;
  }

  function write(key: TableKey, item: WireItem | undefined): void {
    const before = find(key);
    onWrite({ ...key, before, after: item });
    if (before === item || (before && item && isDeepStrictEqual(before, item))) return;
    const bytes = item ? sizeOf(item) : 0;
    change(partitions, key.pk, { ...key, sort: key.sk }, item && { item, bytes });
    for (const name of Object.keys(TABLE.indexes) as IndexName[]) {
      const from = placeIn(name, before);
      const to = placeIn(name, item);
      if (from && (from.name !== to?.name || from.sort !== to.sort))
        change(indexes, from.name, { ...key, sort: from.sort }, undefined);
      if (to && item) change(indexes, to.name, { ...key, sort: to.sort }, projection(name, item));
    }
    changes.push({ ...key, sequence: changes.length + 1, before, after: item });
  }

  return {
    find,
    write,
    changes,
    partition: (index, name) =>
      (index === undefined ? partitions.get(name) : indexes.get(`${index} ${name}`)) ?? [],
    *all() {
      for (const entries of partitions.values()) yield* entries;
    },
  };
}

/** Returns an item's position in an index; undefined for items without the index's keys. */
function placeIn(index: IndexName, item: WireItem | undefined): { name: string; sort: string } | undefined {
  const { partitionKey, sortKey } = TABLE.indexes[index];
  const [name, sort] = [textOf(item?.[partitionKey]), textOf(item?.[sortKey])];
  return name === undefined || sort === undefined ? undefined : { name: `${index} ${name}`, sort };
}

/** Indexes have the keys only. */
function projection(index: IndexName, item: WireItem): { item: WireItem; bytes: number } {
  const { partitionKey, sortKey } = TABLE.indexes[index];
  const names = [TABLE.partitionKey, TABLE.sortKey, partitionKey, sortKey];
  const keys = Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
  return { item: keys, bytes: sizeOf(keys) };
}

function change(
  places: Map<string, Entry[]>,
  name: string,
  at: TableKey & { sort: string },
  stored: { item: WireItem; bytes: number } | undefined,
): void {
  const entries = places.get(name) ?? [];
  if (!places.has(name)) places.set(name, entries);
  const position = positionOf(entries, at);
  const found = entries[position];
  const isThere = found !== undefined && order(found, at) === 0;
  entries.splice(position, isThere ? 1 : 0, ...(stored ? [{ ...at, ...stored }] : []));
}

/** The first position whose entry is not before `at`. */
function positionOf(entries: readonly Entry[], at: TableKey & { sort: string }): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry && order(entry, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** By the sort key; an index may have it more than once. */
export function order(left: TableKey & { sort: string }, right: TableKey & { sort: string }): number {
  return (
    compareText(left.sort, right.sort) || compareText(left.pk, right.pk) || compareText(left.sk, right.sk)
  );
}
