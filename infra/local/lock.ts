import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The data folder is in use by another run. */
class FolderInUse extends Error {}

/** The data folder is a file, cannot be written, or cannot be created. */
class FolderUnusable extends Error {}

const BUSY = 5;

/** Locks the folder until the process ends, however it ends: the operating system frees the lock. */
export function lockFolder(folder: string): () => void {
  const lock = openLock(folder);
  try {
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (id INTEGER); COMMIT;',
    );
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw unusable(folder, error);
    throw new FolderInUse(
      `The data folder ${folder} is in use by another run: stop it, or choose another with --data.`,
      { cause: error },
    );
  }
  return () => lock.close();
}

function openLock(folder: string): DatabaseSync {
  try {
    createFolder(folder);
    return new DatabaseSync(join(folder, 'lock.sqlite'));
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** `mkdirSync` with `recursive` never returns in a file system that reports ENOENT for what it cannot create, as /proc. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder);
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === BUSY;

function unusable(folder: string, cause: unknown): FolderUnusable {
  return new FolderUnusable(
    `The data folder ${folder} cannot be created or written: choose another with --data.`,
    { cause },
  );
}
