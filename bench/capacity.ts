/** Units of one operation: of the table, and of each index. */
export type Units = { table: Pair; indexes: Record<string, Pair>; total: Pair };
/** Write and read units. */
export type Pair = { write: number; read: number };

type Measured = { CapacityUnits?: number; ReadCapacityUnits?: number; WriteCapacityUnits?: number };
type Consumed = Measured & { Table?: Measured; GlobalSecondaryIndexes?: Record<string, Measured> };

const WRITES = new Set(['put', 'batchPut', 'update', 'delete', 'transact']);

/** The units in a ConsumedCapacity of `ReturnConsumedCapacity: INDEXES`, one or a list of them. */
export function unitsOf(operation: string, capacity: unknown): Units {
  const units: Units = { table: zero(), indexes: {}, total: zero() };
  const list = (Array.isArray(capacity) ? capacity : [capacity]) as (Consumed | undefined)[];
  for (const each of list) {
    if (!each) continue;
    add(units.total, pairOf(operation, each));
    add(units.table, pairOf(operation, each.Table ?? each));
    for (const [name, index] of Object.entries(each.GlobalSecondaryIndexes ?? {})) {
      units.indexes[name] ??= zero();
      add(units.indexes[name], pairOf(operation, index));
    }
  }
  return units;
}

function zero(): Pair {
  return { write: 0, read: 0 };
}

export function add(sum: Pair, more: Pair): void {
  sum.write += more.write;
  sum.read += more.read;
}

/** Only transactions report reads and writes separately; other operations do one of them. */
function pairOf(operation: string, { CapacityUnits, ReadCapacityUnits, WriteCapacityUnits }: Measured): Pair {
  if (WriteCapacityUnits !== undefined || ReadCapacityUnits !== undefined) {
    return { write: WriteCapacityUnits ?? 0, read: ReadCapacityUnits ?? 0 };
  }
  const units = CapacityUnits ?? 0;
  return WRITES.has(operation) ? { write: units, read: 0 } : { write: 0, read: units };
}
