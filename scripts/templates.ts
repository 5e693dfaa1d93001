import { statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { print, printableJson } from '../infra/terminal.ts';
import { API_OPTIONS, openApi } from './api.ts';
import { CommandError, EXIT, EXIT_HELP, option, readArguments, runCommand } from './command.ts';
import {
  applyChanges,
  type Change,
  changesBetween,
  entriesOf,
  NotUndone,
  readRemote,
} from './template-changes.ts';
import { type Entry, readEntries, writeEntries } from './template-files.ts';
import { findJournal, JOURNAL_FILE, type Journal, removeJournal, writeJournal } from './template-journal.ts';

const OPTIONS = {
  delete: option.flag('push also deletes entries that are not in the folder'),
  yes: option.flag('do not ask'),
  ...API_OPTIONS,
} as const;

const HELP = `Keeps notification types, templates with their variants, email components and translations as files, for git.

npm run templates -- pull <folder>     writes those of the environment to the folder
npm run templates -- diff <folder>     shows what push would change; exit code 1 if there are changes
npm run templates -- push <folder>     shows the changes, asks, then makes all of them or none

${option.lines(OPTIONS)}

defaults/<type>/<channel>.json names the default template of each delivery mode.
A push that is killed leaves ${JOURNAL_FILE} in the folder. The next push completes it, or undoes it.

${EXIT_HELP}`;

const SIGNS = { create: ['+', 'green'], change: ['~', 'yellow'], delete: ['-', 'red'] } as const;

function lineOf({ kind, path, before = {}, after = {} }: Change): string {
  const [sign, colour] = SIGNS[kind];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const rest = kind === 'change' ? `  ${changed.join(', ')}` : '';
  return `${styleText(colour, `${sign} ${path}`)}${rest}`;
}

async function isConfirmed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CommandError('Cannot ask for confirmation without a terminal. Pass --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Apply ${count} changes? (yes/no) `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

/** The differences to the folder. Entries of an interrupted push that the folder lacks become what they were before it. */
function wantedChanges(
  remote: readonly Entry[],
  files: readonly Entry[],
  { interrupted, isDeleting }: { interrupted: Journal | undefined; isDeleting: boolean },
): Change[] {
  const known = new Set(files.map(({ path }) => path));
  const before = isDeleting ? [] : (interrupted?.before.filter(({ path }) => !known.has(path)) ?? []);
  const ofBefore = new Set(interrupted?.before.map(({ path }) => path));
  const isOfPush = (path: string) => interrupted?.paths.includes(path) === true && !ofBefore.has(path);
  return changesBetween(remote, [...files, ...before]).filter(
    ({ kind, path }) => kind !== 'delete' || isDeleting || isOfPush(path),
  );
}

/** Changes of the push, with the entries before it; of an interrupted one, before that. */
function journalOf(
  url: string,
  remote: readonly Entry[],
  changes: readonly Change[],
  interrupted: Journal | undefined,
): Journal {
  const paths = [...new Set([...(interrupted?.paths ?? []), ...changes.map(({ path }) => path)])];
  const earlier = new Map(interrupted?.before.map((entry) => [entry.path, entry]));
  const later = entriesOf(remote, paths).filter(
    ({ path }) => !interrupted?.paths.includes(path) && !earlier.has(path),
  );
  return { url, paths, before: [...earlier.values(), ...later] };
}

/** Makes all changes or none; the journal is there until then. */
async function push(
  api: Awaited<ReturnType<typeof openApi>>,
  folder: string,
  changes: readonly Change[],
  journal: Journal,
): Promise<void> {
  if (changes.length > 0) writeJournal(folder, journal);
  try {
    await applyChanges(api, changes, journal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    if (error instanceof NotUndone)
      throw new CommandError(
        `The push stopped halfway and could not be undone: ${reason} Run push again: it completes or undoes them.`,
      );
    removeJournal(folder);
    throw new CommandError(`Nothing was changed: ${reason}`);
  }
  removeJournal(folder);
}

function assertFolder(folder: string, mayBeNew: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found ? found.isDirectory() : mayBeNew) return;
  throw new CommandError(
    found ? `${folder} is not a folder.` : `The folder ${folder} does not exist.`,
    EXIT.usage,
  );
}

runCommand(HELP, async () => {
  const { values, positionals } = readArguments(OPTIONS);
  const [action, folder, ...more] = positionals;
  if (!folder || more.length > 0 || !['pull', 'diff', 'push'].includes(action ?? ''))
    throw new CommandError('Pass pull, diff or push, and a folder. --help lists the options.', EXIT.usage);
  assertFolder(folder, action === 'pull');
  const api = await openApi(values);
  const interrupted = findJournal(folder, api.url);
  if (interrupted && action === 'pull')
    throw new CommandError('A push was interrupted. Run push again first: it completes or undoes it.');
  const remote = await readRemote(api);
  if (action === 'pull') {
    writeEntries(folder, remote);
    print(
      values.json
        ? printableJson({ files: remote.map(({ path }) => path) })
        : `${remote.length} entries in ${folder}.`,
    );
    return EXIT.done;
  }
  const entries = readEntries(folder);
  // An interrupted push is undone from its journal.
  if (entries.length === 0 && !interrupted)
    throw new CommandError(`The folder ${folder} has no entries.`, EXIT.usage);
  const changes = wantedChanges(remote, entries, {
    interrupted,
    isDeleting: values.delete === true,
  });
  if (interrupted) console.error('An earlier push was interrupted. This one completes or undoes it.');
  if (values.json) print(printableJson({ changes: changes.map(({ kind, path }) => ({ kind, path })) }));
  else print(changes.length === 0 ? 'Nothing changes.' : changes.map(lineOf).join('\n'));
  if (action === 'diff') return changes.length === 0 ? EXIT.done : EXIT.failed;
  if (changes.length > 0 && !values.yes && !(await isConfirmed(changes.length)))
    throw new CommandError('Nothing was changed.');
  await push(api, folder, changes, journalOf(api.url, remote, changes, interrupted));
  if (changes.length === 0) return EXIT.done;
  if (!values.json) print(`${changes.length} changes applied.`);
  return EXIT.done;
});
