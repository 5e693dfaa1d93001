import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type KeyValue, segmentOf } from './segments.ts';

/** A SQLite file, or one in memory. */
export type SqliteFile = {
  /** The prepared statement of a text: texts are few. */
  statement(sql: string): StatementSync;
  exec(sql: string): void;
  /** Performs all of `work` or, if it throws, nothing. It is on disk when the call returns. */
  inTransaction<T>(work: () => T): T;
  close(): void;
};

export type Parameters = readonly SQLInputValue[];

/**
 * Opens it. With WAL a commit has reached the operating system when it returns, so that `synchronous = NORMAL` loses
 * nothing if the process is killed. It saves an fsync for each commit, which matters only if the machine loses power:
 * then the file is intact, without its last moments.
 */
export function openSqliteFile(file: string): SqliteFile {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
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
        throw error;
      } finally {
        isOpen = false;
      }
    },
    close: () => database.close(),
  };
}
