import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openQueueStore } from '../../../../infra/local/queue/queue.ts';
import { committed, commitWrites, write } from '../../../../infra/local/queue/shared-commit.ts';

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'commit-'));
  const file = join(folder, 'local.sqlite');
  const store = openQueueStore(file);
  store.exec('CREATE TABLE notes (text TEXT)');
  const reader = new DatabaseSync(file);
  onTestFinished(() => {
    reader.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    store,
    note: (text: string) => write(store, () => store.prepare('INSERT INTO notes VALUES (?)').run(text)),
    onDisk: () =>
      reader
        .prepare('SELECT text FROM notes')
        .all()
        .map(({ text }) => text),
  };
}

it('all writes of a turn are on disk together, before anyone is told', async () => {
  const { store, note, onDisk } = setUp();
  note('a');
  note('b');
  expect(onDisk()).toEqual([]);
  await committed(store);
  expect(onDisk()).toEqual(['a', 'b']);
  note('c');
  commitWrites(store);
  expect(onDisk()).toEqual(['a', 'b', 'c']);
  await committed(store);
});

it('a write that fails undoes the others of its turn, which hear of it; the next turn begins anew', async () => {
  const { store, note, onDisk } = setUp();
  note('a');
  const told = expect(committed(store)).rejects.toThrow('the disk is full');
  const failing = () => {
    throw new Error('the disk is full');
  };
  expect(() => write(store, failing)).toThrow('the disk is full');
  note('b');
  await committed(store);
  await told;
  expect(onDisk()).toEqual(['b']);
});

it('what waits when the store is closed is rejected', async () => {
  const { store, note, onDisk } = setUp();
  note('a');
  const told = expect(committed(store)).rejects.toThrow('database is not open');
  store.close();
  await told;
  expect(onDisk()).toEqual([]);
  store.open();
});
