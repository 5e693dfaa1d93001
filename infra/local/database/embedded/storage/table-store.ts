import { isSameItem } from '../values/compare.ts';
import { field, type WireItem } from '../values/wire.ts';
import { type ChangeLog, openChangeLog } from './change-log.ts';
import {
  type IndexDefinition,
  keyNames,
  keyOf,
  type StoredItem,
  type TableDefinition,
} from './definition.ts';
import { columnsOf, isSameColumn, type KeyColumns } from './keys.ts';
import { type Clause, type PartitionRead, type Place, partitionSql, scanSql } from './ranges.ts';
import type { SqliteFile } from './sqlite-file.ts';

type Write = { key: WireItem; before: WireItem | undefined; after: WireItem | undefined };

export type TableStore = {
  definition: TableDefinition;
  changes: ChangeLog;
  find(key: KeyColumns): StoredItem | undefined;
  /** Stores an item in the place of `before` or, without one, deletes it. A write that changes nothing is no change. */
  write(key: KeyColumns, before: StoredItem | undefined, after: StoredItem | undefined, by?: 'ttl'): void;
  /** Entries in the order of a partition. The caller may stop early. */
  partition(index: IndexDefinition | undefined, read: PartitionRead, limit: number): Iterable<StoredItem>;
  scan(index: IndexDefinition | undefined, read: ScanRead): Iterable<StoredItem>;
  /** Keys of items whose time to live has passed, oldest first. */
  expired(nowSeconds: number, countMax: number): KeyColumns[];
  /** Names the attribute whose seconds end an item's life. */
  setTimeToLive(attribute: string | undefined): void;
  counts(): { items: number; bytes: number };
};
type ScanRead = {
  after: Place | undefined;
  segment: { index: number; total: number } | undefined;
  limit: number;
};

/** Rows that are fetched together. */
const FEW = 100;
const ITEM_COLUMNS = ['i.hash', 'i.range'];
const ENTRY_COLUMNS = ['x.hash', 'x.range', 'x.item_hash', 'x.item_range'];

/** The SQL tables of a table. */
export function tableSchema({ id, indexes }: TableDefinition): string {
  const entries = indexes.map(
    (_, at) => `CREATE TABLE index_${id}_${at} (
      hash NOT NULL, range NOT NULL, item_hash NOT NULL, item_range NOT NULL,
      PRIMARY KEY (hash, range, item_hash, item_range)
    ) WITHOUT ROWID;`,
  );
  return `CREATE TABLE items_${id} (
      hash NOT NULL, range NOT NULL, item TEXT NOT NULL, bytes INTEGER NOT NULL, expires INTEGER,
      PRIMARY KEY (hash, range)
    ) WITHOUT ROWID;
    CREATE INDEX expiry_${id} ON items_${id} (expires) WHERE expires IS NOT NULL;
    CREATE TABLE changes_${id} (
      seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT,
      bytes INTEGER NOT NULL, by_ttl INTEGER NOT NULL
    );
    ${entries.join('\n')}`;
}

export function dropSchema({ id, indexes }: TableDefinition): string {
  const names = [`items_${id}`, `changes_${id}`, ...indexes.map((_, at) => `index_${id}_${at}`)];
  return names.map((name) => `DROP TABLE ${name};`).join('\n');
}

export type TableStoreOptions = {
  file: SqliteFile;
  definition: TableDefinition;
  timeToLive: string | undefined;
  nowMs: () => number;
  /** Called for every write, even if it changes nothing. */
  onWrite: (table: TableDefinition, write: Write) => void;
};

export function openTableStore(options: TableStoreOptions): TableStore {
  const { file, definition } = options;
  const { id, indexes, keys } = definition;
  const names = keyNames(keys);
  const changes = openChangeLog(file, definition, options.nowMs);
  let { timeToLive } = options;

  const sql = textsOf(definition);
  const columns = new Map<IndexDefinition | undefined, readonly string[]>([[undefined, ITEM_COLUMNS]]);
  for (const index of indexes) columns.set(index, ENTRY_COLUMNS);

  function find(key: KeyColumns): StoredItem | undefined {
    const row = file.statement(sql.find).get(...key);
    return row && storedOf(row);
  }

  function move(at: number, key: KeyColumns, from: KeyColumns | undefined, to: KeyColumns | undefined): void {
    if (from && to && isSameColumn(from[0], to[0]) && isSameColumn(from[1], to[1])) return;
    const { remove = '', insert = '' } = sql.entries[at] ?? {};
    if (from) file.statement(remove).run(...from, ...key);
    if (to) file.statement(insert).run(...to, ...key);
  }

  /** Few rows are fetched together. Of many, the caller may need no more than a page. */
  function* rows(index: IndexDefinition | undefined, { sql: clauses, parameters }: Clause, limit: number) {
    const from = index ? (sql.entries[indexes.indexOf(index)]?.select ?? '') : sql.select;
    const statement = file.statement(from + clauses);
    const found = limit <= FEW ? statement.all(...parameters) : statement.iterate(...parameters);
    for (const row of found) yield storedOf(row);
  }

  return {
    definition,
    changes,
    find,
    write(key, before, after, by) {
      const [old, item] = [before?.item, after?.item];
      const keyItem = keyOf(item ?? old ?? {}, names);
      options.onWrite(definition, { key: keyItem, before: old, after: item });
      if (old === item || (old && item && isSameItem(old, item))) return;
      const text = item && JSON.stringify(item);
      if (after && text !== undefined)
        file.statement(sql.store).run(...key, text, after.bytes, expiryOf(after.item, timeToLive));
      else file.statement(sql.remove).run(...key);
      for (const [at, index] of indexes.entries())
        move(at, key, old && columnsOf(index.keys, old), item && columnsOf(index.keys, item));
      changes.add({ key: keyItem, before, after, afterText: text, isByTtl: by === 'ttl' });
    },
    partition: (index, read, limit) =>
      rows(index, partitionSql(read, columns.get(index) ?? [], limit), limit),
    scan: (index, { after, segment, limit }) =>
      rows(index, scanSql(after, columns.get(index) ?? [], segment, limit), limit),
    expired(nowSeconds, countMax) {
      const sql = `SELECT hash, range FROM items_${id} WHERE expires BETWEEN ? AND ? ORDER BY expires LIMIT ?`;
      return file
        .statement(sql)
        .all(nowSeconds - FIVE_YEARS_SECONDS, nowSeconds, countMax)
        .map(({ hash, range }) => [hash, range] as KeyColumns);
    },
    setTimeToLive(attribute) {
      timeToLive = attribute;
      const update = file.statement(`UPDATE items_${id} SET expires = ? WHERE hash = ? AND range = ?`);
      const all = file.statement(`SELECT hash, range, item FROM items_${id}`).all();
      for (const row of all)
        update.run(
          expiryOf(JSON.parse(String(row.item)), attribute),
          ...([row.hash, row.range] as KeyColumns),
        );
    },
    counts() {
      const row = file.statement(`SELECT COUNT(*) AS items, TOTAL(bytes) AS bytes FROM items_${id}`).get();
      return { items: Number(row?.items), bytes: Number(row?.bytes) };
    },
  };
}

function textsOf({ id, indexes }: TableDefinition) {
  const items = `items_${id}`;
  return {
    find: `SELECT item, bytes FROM ${items} WHERE hash = ? AND range = ?`,
    store: `INSERT INTO ${items} (hash, range, item, bytes, expires) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (hash, range) DO UPDATE SET item = excluded.item, bytes = excluded.bytes, expires = excluded.expires`,
    remove: `DELETE FROM ${items} WHERE hash = ? AND range = ?`,
    select: `SELECT i.item, i.bytes FROM ${items} i `,
    entries: indexes.map((_, at) => ({
      select: `SELECT i.item, i.bytes FROM index_${id}_${at} x
        JOIN ${items} i ON i.hash = x.item_hash AND i.range = x.item_range `,
      insert: `INSERT INTO index_${id}_${at} VALUES (?, ?, ?, ?)`,
      remove: `DELETE FROM index_${id}_${at} WHERE hash = ? AND range = ? AND item_hash = ? AND item_range = ?`,
    })),
  };
}

function storedOf(row: Record<string, unknown>): StoredItem {
  return { item: JSON.parse(row.item as string), bytes: row.bytes as number };
}

/** What expired earlier stays, as DynamoDB documents. */
const FIVE_YEARS_SECONDS = 5 * 366 * 24 * 3600;

/** Seconds when an item expires. Other values never expire it. */
function expiryOf(item: WireItem, attribute: string | undefined): number | null {
  const text = attribute === undefined ? undefined : field(item, attribute)?.N;
  const seconds = Number(text);
  return text !== undefined && seconds > 0 && seconds <= Number.MAX_SAFE_INTEGER ? Math.floor(seconds) : null;
}
