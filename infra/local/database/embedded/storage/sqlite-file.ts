import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { copyLogInPauses } from '../../../files/log-in-pauses.ts';
import { assertOwnTables } from '../../../files/own-tables.ts';
import { type KeyValue, segmentOf } from './segments.ts';

export type SqliteFile = {
  /** The prepared statement of a text: texts are few. */
  statement(sql: string): StatementSync;
  exec(sql: string): void;
  /** Performs all of `work` or, if it throws, nothing. It is on disk when the call returns. */
  inTransaction<T>(work: () => T): T;
  /** Calls back when a transaction has failed. */
  onUndone(listener: () => void): void;
  close(): void;
};

export type Parameters = readonly SQLInputValue[];

const BUSY = 5;
/** Of the catalog, which is opened first. */
const FIRST_TABLE = 'tables';

/**
 * Opens it for this process alone. With WAL a commit has reached the operating system when it returns, so that
 * `synchronous = NORMAL` loses nothing if the process is killed. It saves an fsync for each commit, which matters only if
 * the machine loses power: then the file is intact, without its last moments.
 */
export function openSqliteFile(file: string): SqliteFile {
  const database = openAlone(file);
  database.function('segment_of', { deterministic: true }, (hash, total) =>
    segmentOf(hash as KeyValue, Number(total)),
  );
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, found);
    return found;
  };
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const listeners: (() => void)[] = [];
  let isOpen = false;
  return {
    statement,
    exec(sql) {
      statements.clear();
      database.exec(sql);
    },
    inTransaction(work) {
      if (isOpen) return work();
      begin.run();
      isOpen = true;
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        // A full disk has ended it already.
        if (database.isTransaction) database.exec('ROLLBACK');
        for (const listener of listeners) listener();
        throw error;
      } finally {
        isOpen = false;
      }
    },
    onUndone: (listener) => void listeners.push(listener),
    close: () => database.close(),
  };
}

function openAlone(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    assertOwnTables(database, FIRST_TABLE);
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT;',
    );
    if (file !== ':memory:') copyLogInPauses(database);
    return database;
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error;
    throw new Error(
      `${file} is in use by another process: stop it, or use another file. npm start -- --table-port <number> serves the table of a running service.`,
      { cause: error },
    );
  }
}
