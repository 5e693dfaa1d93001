import type { DatabaseSync } from 'node:sqlite';

/** Nothing was written for so long: probably nobody waits. */
const PAUSE_MS = 300;
/** Without a pause, the log is copied once it has so many pages, 128 MB. */
const PAGES_MAX = 32_000;

/**
 * SQLite copies its log into the file with every few hundredth commit and waits for the disk, tens of milliseconds in which
 * nothing else runs. Here it is copied when nothing has been written for a moment.
 */
export function copyLogInPauses(store: DatabaseSync): void {
  store.exec(`PRAGMA wal_autocheckpoint = ${PAGES_MAX}`);
  const changes = store.prepare('SELECT total_changes() AS count');
  let seen = 0;
  let copied = 0;
  const timer = setInterval(() => {
    if (!store.isOpen) return clearInterval(timer);
    const count = Number(changes.get()?.count);
    const isPause = count === seen && !store.isTransaction;
    seen = count;
    if (!isPause || count === copied) return;
    copied = count;
    copyLog(store);
  }, PAUSE_MS).unref();
}

/** On a full disk, a later commit copies it. */
function copyLog(store: DatabaseSync): void {
  try {
    store.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {}
}
