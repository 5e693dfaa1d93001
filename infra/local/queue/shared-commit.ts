import type { DatabaseSync } from 'node:sqlite';

const open = new WeakMap<DatabaseSync, PromiseWithResolvers<void>>();

/**
 * Writes to the store. All writes of one turn of the event loop share a commit: who tells of a write awaits `committed`. If one
 * fails, all are undone.
 */
export function write<T>(store: DatabaseSync, work: () => T): T {
  if (!open.has(store)) {
    store.exec('BEGIN IMMEDIATE');
    const commit = Promise.withResolvers<void>();
    commit.promise.catch(() => {});
    open.set(store, commit);
    setImmediate(() => commitWrites(store));
  }
  try {
    return work();
  } catch (error) {
    end(store, () => {
      throw error;
    });
    throw error;
  }
}

/** Resolves when all that was written until now is committed. */
export async function committed(store: DatabaseSync): Promise<void> {
  await open.get(store)?.promise;
}

/** Commits at once, before the store is closed. */
export function commitWrites(store: DatabaseSync): void {
  end(store, () => store.exec('COMMIT'));
}

function end(store: DatabaseSync, commit: () => void): void {
  const waiting = open.get(store);
  open.delete(store);
  try {
    if (waiting) commit();
    waiting?.resolve();
  } catch (error) {
    // A full disk has ended it already.
    if (store.isOpen && store.isTransaction) store.exec('ROLLBACK');
    waiting?.reject(error);
  }
}
