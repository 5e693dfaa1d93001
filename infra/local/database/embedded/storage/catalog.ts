import type { StreamView, TableDefinition } from './definition.ts';
import type { SqliteFile } from './sqlite-file.ts';
import {
  dropSchema,
  openTableStore,
  type TableStore,
  type TableStoreOptions,
  tableSchema,
} from './table-store.ts';

export type Catalog = {
  find(name: string): TableStore | undefined;
  /** In the order of their names. */
  names(): string[];
  nextId(): number;
  create(definition: TableDefinition): TableStore;
  /** Turns on the stream of a table: it tells of what changes from now on. */
  setStreamView(name: string, streamView: StreamView): TableStore | undefined;
  delete(name: string): void;
  timeToLive(name: string): string | undefined;
  setTimeToLive(name: string, attribute: string | undefined): void;
};

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, id INTEGER NOT NULL, definition TEXT NOT NULL, time_to_live TEXT) WITHOUT ROWID;';

export function openCatalog(
  file: SqliteFile,
  options: Pick<TableStoreOptions, 'nowMs' | 'onWrite'>,
): Catalog {
  file.exec(SCHEMA);
  const open = new Map<string, TableStore>();
  const rowOf = (name: string) => file.statement('SELECT * FROM tables WHERE name = ?').get(name);

  function openStore(definition: TableDefinition, timeToLive: string | undefined): TableStore {
    const store = openTableStore({ file, definition, timeToLive, ...options });
    open.set(definition.name, store);
    return store;
  }

  function timeToLive(name: string): string | undefined {
    return rowOf(name)?.time_to_live?.toString();
  }

  return {
    find(name) {
      const found = open.get(name);
      if (found) return found;
      const row = rowOf(name);
      return row && openStore(JSON.parse(String(row.definition)), row.time_to_live?.toString());
    },
    names: () =>
      file
        .statement('SELECT name FROM tables ORDER BY name')
        .all()
        .map(({ name }) => String(name)),
    nextId: () => Number(file.statement('SELECT MAX(id) AS id FROM tables').get()?.id ?? 0) + 1,
    create(definition) {
      const { name, id } = definition;
      file.exec(tableSchema(definition));
      file
        .statement('INSERT INTO tables (name, id, definition) VALUES (?, ?, ?)')
        .run(name, id, JSON.stringify(definition));
      return openStore(definition, undefined);
    },
    setStreamView(name, streamView) {
      const store = this.find(name);
      const definition = store && { ...store.definition, streamView };
      if (!definition) return undefined;
      file.statement('UPDATE tables SET definition = ? WHERE name = ?').run(JSON.stringify(definition), name);
      return openStore(definition, timeToLive(name));
    },
    delete(name) {
      const definition = this.find(name)?.definition;
      if (!definition) return;
      open.delete(name);
      file.exec(dropSchema(definition));
      file.statement('DELETE FROM tables WHERE name = ?').run(name);
    },
    timeToLive,
    setTimeToLive(name, attribute) {
      file.statement('UPDATE tables SET time_to_live = ? WHERE name = ?').run(attribute ?? null, name);
      this.find(name)?.setTimeToLive(attribute);
    },
  };
}
