import { CommandError } from '../frame/command.ts';

/** Returns the changelog's section of a version, without its heading. Throws a CommandError if it is missing or empty. */
export function notesOf(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/);
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) throw new CommandError(`CHANGELOG.md has no section "## ${version}".`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length < 0 ? lines.length : start + 1 + length;
  const notes = lines
    .slice(start + 1, end)
    .join('\n')
    .trim();
  if (notes === '') throw new CommandError(`The section "## ${version}" of CHANGELOG.md is empty.`);
  return notes;
}
