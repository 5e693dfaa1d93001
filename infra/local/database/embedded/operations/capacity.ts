import { projectedNames, type TableDefinition } from '../storage/definition.ts';
import { columnsOf, isSameColumn } from '../storage/keys.ts';
import { isSameItem } from '../values/compare.ts';
import { sizeOf } from '../values/sizes.ts';
import type { WireItem } from '../values/wire.ts';

const READ_BYTES = 4096;
const WRITE_BYTES = 1024;

/** Units that a request consumed of a table: its own, and the units of its indexes. */
export type Consumed = { table: number; indexes: Map<string, number> };
type Wanted = 'INDEXES' | 'TOTAL' | 'NONE';

export function nothingConsumed(): Consumed {
  return { table: 0, indexes: new Map() };
}

export function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_BYTES)) * (isConsistent ? 1 : 0.5);
}

/** Units of a write: of the larger of both items, and of each index whose entry changes. */
export function writeUnits(
  table: TableDefinition,
  before: WireItem | undefined,
  after: WireItem | undefined,
): Consumed {
  const own = unitsOf(Math.max(before ? sizeOf(before) : 0, after ? sizeOf(after) : 0));
  const indexes = new Map<string, number>();
  for (const index of table.indexes) {
    const names = projectedNames(table, index);
    const [from, to] = [before, after].map((item) => {
      const place = item && columnsOf(index.keys, item);
      return item && place ? { place, entry: projectedItem(item, names) } : undefined;
    });
    const isMoved = from && to && !from.place.every((value, at) => isSameColumn(value, to.place[at] ?? ''));
    const sizes = [from, to].map((each) => (each ? unitsOf(sizeOf(each.entry)) : 0)) as [number, number];
    const isSame = from && to && isSameItem(from.entry, to.entry);
    const units = isMoved ? sizes[0] + sizes[1] : isSame ? 0 : Math.max(...sizes);
    if (units > 0) indexes.set(index.name, units);
  }
  return { table: own, indexes };
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_BYTES));
}

export function projectedItem(item: WireItem, names: ReadonlySet<string> | undefined): WireItem {
  return names ? Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name))) : item;
}

export function addConsumed(sum: Consumed, more: Consumed, times = 1): void {
  sum.table += more.table * times;
  for (const [name, units] of more.indexes)
    sum.indexes.set(name, (sum.indexes.get(name) ?? 0) + units * times);
}

/** The field of a response, if it was asked for. */
export function capacityOf(
  table: TableDefinition,
  consumed: Consumed,
  wanted: string | undefined,
  kind?: 'read' | 'write',
): object {
  const shown = shownCapacity(table, consumed, (wanted ?? 'NONE') as Wanted, kind);
  return shown ? { ConsumedCapacity: shown } : {};
}

/** The same for requests of several tables. */
export function capacitiesOf(
  all: ReadonlyMap<TableDefinition, Consumed>,
  wanted: string | undefined,
  kind?: 'read' | 'write',
): object {
  const shown = [...all].flatMap(
    ([table, consumed]) => shownCapacity(table, consumed, (wanted ?? 'NONE') as Wanted, kind) ?? [],
  );
  return shown.length > 0 ? { ConsumedCapacity: shown } : {};
}

function shownCapacity(
  table: TableDefinition,
  { table: own, indexes }: Consumed,
  wanted: Wanted,
  kind: 'read' | 'write' | undefined,
): object | undefined {
  if (wanted === 'NONE') return undefined;
  const units = (count: number) => ({
    CapacityUnits: count,
    ...(kind === 'read' ? { ReadCapacityUnits: count } : {}),
    ...(kind === 'write' ? { WriteCapacityUnits: count } : {}),
  });
  const total = own + [...indexes.values()].reduce((sum, each) => sum + each, 0);
  const summary = { TableName: table.name, ...units(total) };
  if (wanted === 'TOTAL') return summary;
  const ofKind = (which: 'global' | 'local') => {
    const names = table.indexes.filter(({ kind: each, name }) => each === which && indexes.has(name));
    return Object.fromEntries(names.map(({ name }) => [name, units(indexes.get(name) ?? 0)]));
  };
  const [global, local] = [ofKind('global'), ofKind('local')];
  return {
    ...summary,
    Table: units(own),
    ...(Object.keys(global).length > 0 ? { GlobalSecondaryIndexes: global } : {}),
    ...(Object.keys(local).length > 0 ? { LocalSecondaryIndexes: local } : {}),
  };
}
