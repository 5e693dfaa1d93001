import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import type { Api } from '../frame/api.ts';
import { assertNoLink, type Entry } from './template-files.ts';

export const SEEN_FILE = '.pull.json';

/** The hash of each entry of an environment as this folder last saw it. */
type Seen = Readonly<Record<string, string>>;
const Stored = v.object({ of: v.string(), entries: v.record(v.string(), v.string()) });

function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  );
  return createHash('sha256').update(text).digest('base64url');
}

export const seenOf = (entries: readonly Entry[]): Seen =>
  Object.fromEntries(entries.map(({ path, value }) => [path, hashOf(value)]));

function fileOf(folder: string): string {
  const file = join(folder, SEEN_FILE);
  assertNoLink(file);
  return file;
}

/** Undefined if the folder was not pulled with this address and key. */
export function readSeen(folder: string, { digest }: Api): Seen | undefined {
  const file = fileOf(folder);
  const read = v.safeParse(Stored, existsSync(file) ? findJson(readFileSync(file, 'utf8')) : undefined);
  return read.success && read.output.of === digest ? read.output.entries : undefined;
}

export function writeSeen(folder: string, { digest }: Api, entries: Seen): void {
  writeFileSync(fileOf(folder), `${JSON.stringify({ of: digest, entries }, null, 2)}\n`);
}

/** Whether an entry of the environment is not what the folder last saw, or is new or gone. A folder that was never pulled saw none. */
export function changedSince(seen: Seen = {}, remote: readonly Entry[]): (path: string) => boolean {
  const now = seenOf(remote);
  return (path) => seen[path] !== now[path];
}
