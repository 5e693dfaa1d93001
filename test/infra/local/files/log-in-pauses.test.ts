import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSqliteFile } from '../../../../infra/local/database/embedded/storage/sqlite-file.ts';
import { openQueueStore } from '../../../../infra/local/queue/queue.ts';

/** SQLite by itself copies after 4 MB. */
const ROWS = 100;
const TEXT = 'a'.repeat(100_000);

it.each([
  ['table', openSqliteFile],
  ['queues', openQueueStore],
])('the log of the %s is copied into the file in a pause, not with one of many commits', (_, open) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const file = join(folder, 'store.sqlite');
  const store = open(file);
  onTestFinished(() => {
    vi.useRealTimers();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  store.exec('CREATE TABLE notes (text TEXT)');
  const sizeBefore = statSync(file).size;
  for (let left = ROWS; left > 0; left -= 1) store.exec(`INSERT INTO notes VALUES ('${TEXT}')`);
  expect(statSync(file).size).toBe(sizeBefore);
  vi.advanceTimersByTime(300);
  expect(statSync(file).size).toBe(sizeBefore);
  vi.advanceTimersByTime(300);
  expect(statSync(file).size).toBeGreaterThan(ROWS * TEXT.length);
});
