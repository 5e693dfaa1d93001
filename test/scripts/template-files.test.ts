import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readEntries, templatePath, typePath, writeEntries } from '../../scripts/template-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'template-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string): void {
  const file = join(folder, `${path}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ "title": "x" }');
}

it('reads what it wrote, whatever characters the IDs have', () => {
  const ids = ['100 %', 'a@b', 'ü/ö', "it's (new)", '%20', 'a.b'];
  const paths = ids.flatMap((id) => [typePath(id), templatePath(id, 'EMAIL', id, 'pt-BR')]);
  writeEntries(
    folder,
    paths.map((path) => ({ path, value: { title: path } })),
  );
  expect(readEntries(folder).map(({ path }) => path)).toEqual([...paths].sort());
});

it.each([
  ['types/100%', '100%25'],
  ['types/odd name', 'odd%20name'],
  ['templates/new comment/EMAIL/default', 'new%20comment'],
  ['types/a@b', 'a%40b'],
  ['templates/a/EMAIL/default@', 'is not a name of an entry'],
])('rejects %s, which pull does not write', (path, message) => {
  write(path);
  expect(() => readEntries(folder)).toThrow(message);
});
