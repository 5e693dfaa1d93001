import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { assertNotEmptied } from '../../../../infra/local/database/data-folder.ts';
import { openEngine } from '../../../../infra/local/database/embedded/engine.ts';
import { createLocalKeyWrapper, KEY_FILE, loadKeyFile } from '../../../../infra/local/files/key-file.ts';
import { lockFolder } from '../../../../infra/local/files/lock.ts';
import { openQueueStore } from '../../../../infra/local/queue/queue.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const problemOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  return undefined;
};

function foreign(name: string, file: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, file), 'of another program '.repeat(100));
  return path;
}

describe('the data folder', () => {
  it('creates its parents, and stays locked until it is freed', () => {
    const data = join(folder, 'a', 'b');
    const unlock = lockFolder(data);
    expect(problemOf(() => lockFolder(data))).toContain('is in use by another run');
    unlock();
    lockFolder(data)();
  });

  it.each([
    '/proc/foo',
    '/proc/foo/data',
    '/proc',
    '/dev/null',
    import.meta.filename,
    `${import.meta.filename}/data`,
  ])('fails at %s immediately', (data) => {
    expect(problemOf(() => lockFolder(data))).toBe(
      `The data folder ${data} cannot be created or written: choose another with --data.`,
    );
  });

  it('fails with files of another program, and names the folder', () => {
    const locked = foreign('lock', 'lock.sqlite');
    expect(problemOf(() => lockFolder(locked))).toContain(`${locked} cannot be created or written`);
    const queues = join(foreign('queues', 'local.sqlite'), 'local.sqlite');
    expect(problemOf(() => openQueueStore(queues))).toMatch(/^The queues in .* cannot be opened .*--data\.$/);
  });

  it.each([
    ['the queues', 'local.sqlite', openQueueStore],
    ['the table', 'table.sqlite', (file: string) => openEngine({ file })],
  ])('fails with the database of another program as %s, and does not change it', (_, name, open) => {
    const file = join(folder, `other-${name}`);
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE invoices (id)');
    other.close();
    const before = readFileSync(file);
    expect(problemOf(() => open(file))).toContain('written by another program');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each(['local.sqlite', 'table.sqlite'])('fails when %s has lost its content', (name) => {
    const data = mkdtempSync(join(folder, 'emptied-'));
    writeFileSync(join(data, name), '');
    assertNotEmptied(data);
    loadKeyFile(join(data, KEY_FILE));
    expect(problemOf(() => assertNotEmptied(data))).toContain(`${join(data, name)} has lost its content`);
  });

  it('fails with a damaged key and with that of other data, and says what to do', async () => {
    const file = join(mkdtempSync(join(folder, 'key-')), KEY_FILE);
    const { wrapped } = await createLocalKeyWrapper(loadKeyFile(file)).generateDataKey('a');
    writeFileSync(file, 'short');
    expect(problemOf(() => loadKeyFile(file))).toContain(`The key in ${file} is damaged: restore it`);
    rmSync(file);
    await expect(createLocalKeyWrapper(loadKeyFile(file)).unwrap('a', wrapped)).rejects.toThrow(
      'another key than the one in master.key: restore that file',
    );
    rmSync(file);
    mkdirSync(file);
    expect(problemOf(() => loadKeyFile(file))).toContain('is damaged: restore it');
  });

  it('is not changed when a newer release has written it', () => {
    const data = join(folder, 'newer');
    lockFolder(data)();
    const lock = new DatabaseSync(join(data, 'lock.sqlite'));
    lock.exec('PRAGMA user_version = 1000');
    lock.close();
    for (let times = 0; times < 2; times += 1)
      expect(problemOf(() => lockFolder(data))).toMatch(
        /newer was written by a newer release \(data format 1000, this release has \d+\): start that release, or choose another folder with --data\.$/,
      );
  });
});
