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

function write(name: string, content: string | Buffer = '{ "title": "x" }'): void {
  const file = join(folder, name.includes('.') ? name : `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
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

it.each([
  ['types/group/welcome'],
  ['types/a/EMAIL/default'],
  ['templates/welcome/default'],
  ['templates/welcome/EMAIL/drafts/default'],
  ['defaults/welcome'],
  ['components/email/footer'],
])('rejects %s, which would be another entry', (path) => {
  write(path);
  expect(() => readEntries(folder)).toThrow('is not the place of an entry');
});

it('rejects the html of an entry that was renamed or deleted', () => {
  write('components/header');
  write('components/footer.html', '<p>');
  expect(() => readEntries(folder)).toThrow(
    /footer\.html belongs to components\/footer\.json, which does not/,
  );
});

it('rejects files that are not text, and reads a byte order mark', () => {
  write('components/header.json', '\uFEFF{ "title": "x" }');
  expect(readEntries(folder)).toEqual([{ path: 'components/header', value: { title: 'x' } }]);
  write('components/header.html', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]));
  expect(() => readEntries(folder)).toThrow('header.html is not text in UTF-8');
});
