import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { createFolder } from '../../infra/create-folder.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { ContentLocale } from '../../shared/schemas/users/locale.ts';
import { CommandError } from '../frame/command.ts';

/**
 * An entry of a folder, by its path without extension: a type, a template's variant, the default templates of a
 * channel, a component or a language.
 */
export type Entry = { path: string; value: Record<string, unknown> };

/** HTML is a separate file, so that editors and diffs can read it. */
const HTML = 'html';
/** Number of names in a path, by the first name. */
const ROOMS: Readonly<Record<string, number>> = {
  types: 2,
  templates: 4,
  defaults: 3,
  components: 2,
  translations: 2,
};
/** True if an entry is a language: flat JSON as translation tools read it, whose keys are the author's. */
export const isLanguage = (path: string) => path.startsWith('translations/');

/** True if an entry is the templates that are the default of each delivery mode: `{ instant: 'default' }`. */
export const isDefaults = (path: string) => path.startsWith('defaults/');

/**
 * Writes each entry as JSON, its HTML next to it, and deletes the files of removed entries. Throws before it writes anything
 * if an entry's place is not in the folder, if a file cannot have its name, or if the folder has a link.
 */
export function writeEntries(folder: string, entries: readonly Entry[]): void {
  for (const { path } of entries) {
    assertPlace(path, path);
    assertEncoded(path, path);
    assertWords(path, path);
    assertShort(path);
  }
  const entryPaths = new Set(entries.map(({ path }) => path));
  for (const { path } of readEntries(folder))
    if (!entryPaths.has(path))
      for (const ending of ['json', HTML]) rmSync(join(folder, `${path}.${ending}`), { force: true });
  for (const { path, value } of entries) {
    const { [HTML]: html, ...rest } = isLanguage(path) ? { ...value, [HTML]: undefined } : value;
    const file = join(folder, path);
    createFolder(dirname(file));
    writeFileSync(`${file}.json`, `${JSON.stringify(isLanguage(path) ? value : rest, null, 2)}\n`);
    if (typeof html === 'string') writeFileSync(`${file}.html`, html);
    else rmSync(`${file}.html`, { force: true });
  }
}

/** Reads the entries of a folder; throws with the file's name when one is no entry. Without the folder, there are none. */
export function readEntries(folder: string): Entry[] {
  const names = Object.keys(ROOMS)
    .flatMap((room) => namesBelow(folder, room))
    .sort();
  const pathSet = new Set(pathsOf(names, 'json'));
  const htmlPaths = pathsOf(names, HTML);
  for (const path of htmlPaths)
    if (!pathSet.has(path))
      throw new CommandError(`${join(folder, path)}.html belongs to ${path}.json, which does not exist.`);
  return [...pathSet].map((path) => {
    const file = join(folder, path);
    assertPlace(path, `${file}.json`);
    assertEncoded(path, `${file}.json`);
    assertWords(path, `${file}.json`);
    const value = parsed(`${file}.json`);
    const hasHtml = htmlPaths.includes(path) && !isLanguage(path);
    return { path, value: hasHtml ? { ...value, [HTML]: readText(`${file}.html`) } : value };
  });
}

/**
 * Lists the files below a folder. Throws for a link: what it points at is not of this folder, and would be uploaded or
 * overwritten.
 */
function namesBelow(folder: string, name: string): string[] {
  const file = join(folder, name);
  assertNoLink(file);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [name] : [];
  return readdirSync(file, { encoding: 'utf8' }).flatMap((each) => namesBelow(folder, `${name}/${each}`));
}

/** A file with a second name is a link too. */
export function assertNoLink(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() || (found?.isFile() && found.nlink > 1))
    throw new CommandError(`${file} is a link. Replace it with the file or folder itself.`);
  if (found && !found.isFile() && !found.isDirectory())
    throw new CommandError(`${file} is neither a file nor a folder.`);
}

function pathsOf(names: readonly string[], ending: string): string[] {
  return names.filter((name) => name.endsWith(`.${ending}`)).map((name) => name.slice(0, -ending.length - 1));
}

/** Throws unless a path has as many names as `pull` writes: a file in a deeper folder would be a different entry. */
function assertPlace(path: string, file: string): void {
  const [room = ''] = path.split('/');
  if (path.split('/').length === ROOMS[room]) return;
  const examples = [typePath('new-comment'), templatePath('new-comment', 'EMAIL', 'default')];
  throw new CommandError(`${file} is not the place of an entry, as ${examples.join(' and ')} are.`);
}

/** What file systems allow, without the ending. */
const NAME_LENGTH_MAX = 250;

function assertShort(path: string): void {
  const long = path.split('/').find(({ length }) => length > NAME_LENGTH_MAX);
  if (long === undefined) return;
  const [room] = path.split('/');
  throw new CommandError(
    `Nothing was written: ${room} has the ID ${decodeURIComponent(long)}, which is too long for the name of a file: ${long.length} characters once encoded, at most ${NAME_LENGTH_MAX}. Replace it with a shorter one.`,
  );
}

/** Throws unless the channel and the language in a path are valid. */
function assertWords(path: string, file: string): void {
  const [room, name = '', channel = ''] = path.split('/');
  const locale = room === 'translations' ? name : room === 'templates' ? nameIn(path).locale : undefined;
  if ((room === 'templates' || room === 'defaults') && !v.is(Channel, channel))
    throw new CommandError(`${file} is in the folder of no channel.`);
  if (locale !== undefined && !v.is(ContentLocale, locale))
    throw new CommandError(`${file} is not named after a language, such as de or pt-BR.`);
}

/** The text of a file, without a byte order mark; throws if it is not UTF-8, such as an image. */
function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    throw new CommandError(`${file} is not text in UTF-8.`);
  }
}

/** Throws unless the parts of a path are encoded as `pull` writes them: two names would be the same entry. */
function assertEncoded(path: string, file: string): void {
  const [room, ...names] = path.split('/');
  // Only a variant has a further @, before its language.
  const parts = room === 'templates' ? names.flatMap((name) => name.split('@')) : names;
  const wrong = parts.find((part) => part === '' || encoded(part) !== part);
  if (wrong === undefined) return;
  const fix = encoded(wrong) ? `: write ${wrong} as ${encoded(wrong)}` : '';
  throw new CommandError(
    `${file} is not a name of an entry${fix}. Characters such as % and space are encoded, as in a URL.`,
  );
}

/** A text in the encoding of a URL, whether or not it is encoded already. */
function encoded(part: string): string {
  try {
    return fileNameOf(decodeURIComponent(part));
  } catch {
    return fileNameOf(part);
  }
}

/** An ID as part of a path; one of dots alone would be another folder. */
function fileNameOf(id: string): string {
  return /^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
}

function parsed(file: string): Record<string, unknown> {
  const value = findJson(readText(file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new CommandError(`${file} is not a JSON object.`);
}

/** `types/new-comment`; ids can have characters that file names cannot. */
export const typePath = (id: string) => `types/${fileNameOf(id)}`;
/** `templates/new-comment/EMAIL/default`, of a variant `…/default@de` */
export const templatePath = (id: string, channel: string, templateId: string, locale?: string) => {
  const name = fileNameOf(templateId) + (locale === undefined ? '' : `@${locale}`);
  return `templates/${fileNameOf(id)}/${channel}/${name}`;
};
/** `defaults/new-comment/EMAIL` */
export const defaultsPath = (id: string, channel: string) => `defaults/${fileNameOf(id)}/${channel}`;
/** `translations/de` */
export const translationPath = (locale: string) => `translations/${locale}`;
/** `components/footer` */
export const componentPath = (id: string) => `components/${fileNameOf(id)}`;
/** The last id in a path, and the language of a variant: an id's own @ is encoded. */
export function nameIn(path: string): { id: string; locale?: string } {
  const [name = '', locale] = (path.split('/').at(-1) ?? '').split('@');
  return { id: decodeURIComponent(name), ...defined({ locale }) };
}
