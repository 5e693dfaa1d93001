import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The data folder is in use by another run. */
class FolderInUse extends Error {}

/** The data folder is a file, or belongs to another user. */
class FolderUnusable extends Error {}

/** Locks the folder until the process ends, however it ends: the operating system frees the lock. */
export function lockFolder(folder: string): () => void {
  const lock = openLock(folder);
  try {
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (id INTEGER); COMMIT;',
    );
  } catch (error) {
    lock.close();
    throw new FolderInUse(
      `The data folder ${folder} is in use by another run: stop it, or choose another with --data.`,
      {
        cause: error,
      },
    );
  }
  return () => lock.close();
}

function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    return new DatabaseSync(join(folder, 'lock.sqlite'));
  } catch (error) {
    throw new FolderUnusable(
      `The data folder ${folder} cannot be created or written: choose another with --data.`,
      { cause: error },
    );
  }
}
