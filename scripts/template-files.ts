import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from './command.ts';

/** Something that a folder holds: a notification type, a template or a component, by its path without ending. */
export type Entry = { path: string; value: Record<string, unknown> };

/** HTML is a file of its own, so that editors and diffs can read it. */
const HTML = 'html';
const ROOMS = ['types', 'templates', 'components'];

/** Writes each entry as JSON, its HTML beside it, and removes the files of what is no longer there. */
export function writeEntries(folder: string, entries: readonly Entry[]): void {
  const kept = new Set(entries.map(({ path }) => path));
  for (const { path } of readEntries(folder))
    if (!kept.has(path))
      for (const ending of ['json', HTML]) rmSync(join(folder, `${path}.${ending}`), { force: true });
  for (const { path, value } of entries) {
    const { [HTML]: html, ...rest } = value;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.json`, `${JSON.stringify(rest, null, 2)}\n`);
    if (typeof html === 'string') writeFileSync(`${file}.html`, html);
    else rmSync(`${file}.html`, { force: true });
  }
}

/** Reads the entries of a folder; throws with the file's name when one is not a JSON object. */
export function readEntries(folder: string): Entry[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.json') && ROOMS.includes(name.split('/')[0] ?? ''))
    .sort()
    .map((name) => {
      const path = name.slice(0, -'.json'.length);
      const html = join(folder, `${path}.html`);
      const value = parsed(join(folder, name));
      return { path, value: existsSync(html) ? { ...value, [HTML]: readFileSync(html, 'utf8') } : value };
    });
}

function parsed(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new CommandError(`${file} is not a JSON object.`);
}

/** `types/new-comment`; ids may have characters that file names may not. */
export const typePath = (id: string) => `types/${encodeURIComponent(id)}`;
/** `templates/new-comment/EMAIL/default` */
export const templatePath = (id: string, channel: string, templateId: string) =>
  `templates/${encodeURIComponent(id)}/${channel}/${encodeURIComponent(templateId)}`;
/** `components/footer` */
export const componentPath = (id: string) => `components/${encodeURIComponent(id)}`;
/** The ids in a path. */
export const idsOf = (path: string) => path.split('/').slice(1).map(decodeURIComponent);
