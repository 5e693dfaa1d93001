import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asCommandError } from '../../../scripts/frame/command.ts';
import {
  componentPath,
  defaultsPath,
  readEntries,
  templatePath,
  translationPath,
  typePath,
  writeEntries,
} from '../../../scripts/templates/template-files.ts';
import { findJournal, writeJournal } from '../../../scripts/templates/template-journal.ts';

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

it.each([
  ['a language', templatePath('a', 'EMAIL', 'default', '../../../package')],
  ['a language of translations', translationPath('../../package')],
  ['a language with a null character', translationPath('de\0')],
  ['a language that is none', translationPath('no_language')],
  ['a channel', templatePath('a', '../../..', 'package')],
  ['a channel in one name', templatePath('a', '..', 'package')],
  ['a channel of defaults', defaultsPath('a', '..')],
  ['an unknown channel', defaultsPath('a', 'FAX')],
  ['an absolute path', translationPath('/etc/passwd')],
  ['a Windows path', translationPath('..\\..\\package')],
])('writes nothing when a hostile service returns %s that leads elsewhere', (_, path) => {
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  expect(() =>
    writeEntries(inner, [
      { path: typePath('fine'), value: {} },
      { path, value: { scripts: {} } },
    ]),
  ).toThrow();
  expect(readdirSync(folder, { recursive: true })).toEqual(['inner']);
});

it('keeps IDs that look like paths in the folder', () => {
  const inner = join(folder, 'inner');
  const ids = ['../../package', '..', '/etc/x', 'a/../../b'];
  writeEntries(
    inner,
    ids.flatMap((id) => [
      { path: typePath(id), value: {} },
      { path: componentPath(id), value: {} },
    ]),
  );
  expect(readdirSync(folder)).toEqual(['inner']);
  expect(readEntries(inner)).toHaveLength(2 * ids.length);
});

it.each([
  ['a file', 'types/a.json'],
  ['the HTML', 'components/a.html'],
  ['a folder', 'templates/a'],
  ['a whole part', 'translations'],
  ['a broken link', 'types/gone.json'],
])('neither reads nor writes through a link: %s', (_, name) => {
  const [inner, outside] = [join(folder, 'inner'), join(folder, 'outside')];
  mkdirSync(dirname(join(inner, name)), { recursive: true });
  mkdirSync(outside);
  const target = join(outside, name.includes('gone') ? 'missing' : name.includes('.') ? 'secret' : '.');
  if (name.includes('.') && !name.includes('gone')) writeFileSync(target, '{"password":"x"}');
  symlinkSync(target, join(inner, name));
  expect(() => readEntries(inner)).toThrow('is a link');
  expect(() => writeEntries(inner, [{ path: typePath('a'), value: { title: 'x' } }])).toThrow('is a link');
  if (existsSync(join(outside, 'secret')))
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('{"password":"x"}');
  expect(existsSync(join(outside, 'missing'))).toBe(false);
});

it('neither reads nor writes a file with a second name, and waits for nothing that is no file', async () => {
  const [inner, outside] = [join(folder, 'inner'), join(folder, 'outside.json')];
  mkdirSync(join(inner, 'types'), { recursive: true });
  writeFileSync(outside, '{"password":"x"}');
  linkSync(outside, join(inner, 'types', 'a.json'));
  expect(() => readEntries(inner)).toThrow('is a link');
  expect(() => writeEntries(inner, [{ path: typePath('a'), value: { title: 'x' } }])).toThrow('is a link');
  expect(readFileSync(outside, 'utf8')).toBe('{"password":"x"}');
  rmSync(join(inner, 'types', 'a.json'));
  const socket = createServer().listen(join(inner, 'types', 'a.json'));
  await once(socket, 'listening');
  expect(() => readEntries(inner)).toThrow('is neither a file nor a folder');
  await new Promise((closed) => socket.close(closed));
});

it('rejects JSON that is nested without end', () => {
  mkdirSync(join(folder, 'types'));
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  writeFileSync(join(folder, 'types', 'a.json'), deep);
  expect(() => readEntries(folder)).toThrow('a.json is not a JSON object');
});

it('writes no journal through a link', () => {
  const target = join(folder, 'target');
  symlinkSync(target, join(folder, '.push.json'));
  expect(() => writeJournal(folder, { url: 'u', paths: [], before: [] })).toThrow('is a link');
  expect(() => findJournal(folder, 'u')).toThrow('is a link');
  expect(existsSync(target)).toBe(false);
});

// `mkdir -p` of Node never ends there.
it.runIf(process.platform === 'linux')('does not wait for a folder that the system cannot make', () => {
  expect(() => writeEntries('/proc/1/nope', [{ path: typePath('a'), value: {} }])).toThrow('ENOENT');
});

it.each([
  ['types', typePath('a'), 'in a path that has a file where a folder must be.'],
  ['other', typePath('ä'.repeat(42)), 'Nothing was written: types has the ID ää'],
])('says why an entry cannot be written: %s', (existing, path, message) => {
  writeFileSync(join(folder, existing), '');
  const fine = { path: componentPath('fine'), value: {} };
  const written = vi.fn(() =>
    writeEntries(folder, [...(existing === 'other' ? [fine] : []), { path, value: {} }]),
  );
  expect(written).toThrow();
  expect(readdirSync(folder)).toEqual([existing]);
  expect(asCommandError(written.mock.results[0]?.value).message).toMatch(message);
});
