import type { DatabaseSync } from 'node:sqlite';

/** Throws if a database has tables but not this one, which is created first: it is not changed. */
export function assertOwnTables(database: DatabaseSync, table: string): void {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (names.length > 0 && !names.some(({ name }) => name === table))
    throw new Error('it was written by another program');
}
