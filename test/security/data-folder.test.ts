import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from '../../infra/local/files/lock.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

/** A folder that others may read and change. */
function openFolder(name: string, file?: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  if (file) writeFileSync(join(folder, file), '');
  return folder;
}

it.each([
  ['a new data folder', () => join(parent, 'new')],
  ['an empty folder that others could read', () => openFolder('empty')],
  ['a data folder of an earlier version that others could read', () => openFolder('data', 'lock.sqlite')],
])('%s is open to its owner only', (_, folderOf) => {
  const folder = folderOf();
  lockFolder(folder)();
  expect(modeOf(folder)).toBe(0o700);
});

it('a folder with other content keeps its permissions', () => {
  const folder = openFolder('home', 'notes.txt');
  lockFolder(folder)();
  expect(modeOf(folder)).toBe(0o777);
});
