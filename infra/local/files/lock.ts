import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '../../create-folder.ts';

/** The data folder is in use by another run. */
class FolderInUse extends Error {}

/** The data folder is a file, cannot be written, or cannot be created. */
class FolderUnusable extends Error {}

const BUSY = 5;
const LOCK_FILE = 'lock.sqlite';
const OWNER_ONLY = 0o700;

/** Locks the folder until the process ends in any way: the operating system frees the lock. */
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
  assertReadable(lock, folder);
  return () => lock.close();
}

/** The format of the data. Raise it with a change after which earlier releases cannot use the folder any more. */
const DATA_FORMAT = 1;

/** Marks the folder with the format of this release; throws, and changes nothing, if a later release has used it. */
function assertReadable(lock: DatabaseSync, folder: string): void {
  const format = Number(lock.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (format <= DATA_FORMAT) {
    lock.exec(`PRAGMA user_version = ${DATA_FORMAT}`);
    return;
  }
  lock.close();
  throw new FolderUnusable(
    `The data folder ${folder} was written by a newer release (data format ${format}, this release has ${DATA_FORMAT}): start that release, or choose another folder with --data.`,
  );
}

function openLock(folder: string): DatabaseSync {
  try {
    createFolder(folder, OWNER_ONLY);
    closeToOthers(folder);
    return new DatabaseSync(join(folder, LOCK_FILE));
  } catch (error) {
    throw unusable(folder, error);
  }
}

/**
 * Only the owner may read and change a data folder, one of an earlier version too, whose files others could read. A
 * folder with other content, such as a home folder, keeps its permissions: new files are still readable by
 * their owner only.
 */
function closeToOthers(folder: string): void {
  const names = readdirSync(folder);
  if (names.length > 0 && !names.includes(LOCK_FILE)) return;
  const { mode, uid } = statSync(folder);
  // Only its owner can change the permissions of a folder.
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, OWNER_ONLY);
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === BUSY;

function unusable(folder: string, cause: unknown): FolderUnusable {
  return new FolderUnusable(
    `The data folder ${folder} cannot be created or written: choose another with --data.`,
    { cause },
  );
}
