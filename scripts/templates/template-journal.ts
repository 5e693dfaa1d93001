import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import { CommandError } from '../frame/command.ts';
import { assertNoLink } from './template-files.ts';

const Entry = v.object({ path: v.string(), value: v.record(v.string(), v.unknown()) });

/**
 * Changes that a push is about to make: kept in the folder until all of it is made or undone, so that the push after one
 * that was interrupted has the state before it.
 */
const Journal = v.object({ url: v.string(), paths: v.array(v.string()), before: v.array(Entry) });
export type Journal = v.InferOutput<typeof Journal>;

export const JOURNAL_FILE = '.push.json';

function fileOf(folder: string): string {
  const file = join(folder, JOURNAL_FILE);
  assertNoLink(file);
  return file;
}

/** The journal of an interrupted push to `url`; throws if it was a push to another address. */
export function findJournal(folder: string, url: string): Journal | undefined {
  const file = fileOf(folder);
  if (!existsSync(file)) return undefined;
  const read = v.safeParse(Journal, findJson(readFileSync(file, 'utf8')));
  // A push that was interrupted while it wrote the journal has changed nothing.
  if (!read.success) return undefined;
  if (read.output.url !== url)
    throw new CommandError(
      `A push to ${read.output.url} was interrupted. Repeat it with --url ${read.output.url} first, or delete ${file}.`,
    );
  return read.output;
}

export function writeJournal(folder: string, journal: Journal): void {
  writeFileSync(fileOf(folder), JSON.stringify(journal));
}

export function removeJournal(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}
