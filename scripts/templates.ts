import { statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { coloured, print, printableJson } from '../infra/terminal.ts';
import { API_OPTIONS, type Api, openApi } from './frame/api.ts';
import {
  asCommandError,
  CommandError,
  EXIT,
  type ExitCode,
  type OptionValues,
  option,
  runCommand,
} from './frame/command.ts';
import { declarationsOf } from './templates/notification-types.ts';
import {
  applyChanges,
  type Change,
  changesBetween,
  entriesOf,
  NotUndone,
  readRemote,
} from './templates/template-changes.ts';
import { checkEntries } from './templates/template-checks.ts';
import { type Entry, readEntries, writeEntries } from './templates/template-files.ts';
import {
  findJournal,
  JOURNAL_FILE,
  type Journal,
  removeJournal,
  writeJournal,
} from './templates/template-journal.ts';
import { changedSince, readSeen, SEEN_FILE, seenOf, writeSeen } from './templates/template-seen.ts';

const OPTIONS = {
  delete: option.flag('push also deletes entries that are not in the folder'),
  overwrite: option.flag('push also replaces what was changed in the environment since the last pull'),
  yes: option.flag('do not ask'),
  out: option.value('<file>', 'the file that types writes (default: notifications.d.ts)'),
  ...API_OPTIONS,
} as const;

const ABOUT = `Keeps notification types, templates with their variants, email components and translations as files, for git.

npm run templates -- pull <folder>     writes them from the environment to the folder
npm run templates -- diff <folder>     checks the files and shows what push would change
npm run templates -- push <folder>     checks the files, shows the changes, asks, then makes all of them or none
npm run templates -- types             writes the types and their parameters for createClient<Notifications>()`;

const NOTES = `defaults/<type>/<channel>.json names the default template of each delivery mode.
What a file omits has its default. A push that is killed leaves ${JOURNAL_FILE} in the folder. The next push completes it, or
undoes it. ${SEEN_FILE} records what the last pull and push of this folder saw: do not commit either.`;

const SIGNS = { create: ['+', 'delivered'], change: ['~', 'waiting'], delete: ['-', 'failed'] } as const;

function lineOf({ kind, path, before = {}, after = {} }: Change): string {
  const [sign, state] = SIGNS[kind];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const rest = kind === 'change' ? `  ${changed.join(', ')}` : '';
  return `${coloured(state, `${sign} ${path}`)}${rest}`;
}

async function isConfirmed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CommandError('Cannot ask for confirmation without a terminal. Pass --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const response = await terminal.question(`Apply ${count} changes? (yes/no) `);
  terminal.close();
  return response.trim().toLowerCase() === 'yes';
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
  api: Api,
  folder: string,
  changes: readonly Change[],
  { journal, after }: { journal: Journal; after: readonly Entry[] },
): Promise<void> {
  if (changes.length > 0) writeJournal(folder, journal);
  try {
    await applyChanges(api, changes, journal, after);
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

/** Throws if the push would replace what somebody else changed in the environment. */
function assertUnchanged(
  changes: readonly Change[],
  isChanged: (path: string) => boolean,
  interrupted: Journal | undefined,
): void {
  const lost = changes.filter(({ path }) => !interrupted?.paths.includes(path) && isChanged(path));
  if (lost.length === 0) return;
  const lines = lost.map(({ path }) => `  ${path}`).join('\n');
  throw new CommandError(
    `Nothing was changed. Since the last pull into this folder, the environment has other versions of:\n${lines}\nPull them, or pass --overwrite to replace them.`,
  );
}

/** A failure of a comparison has a code of its own: 1 means that there are changes. */
function failure(error: unknown, code: ExitCode): CommandError {
  const { message, exitCode } = asCommandError(error);
  return new CommandError(message, exitCode === EXIT.failed ? code : exitCode);
}

function readFiles(folder: string): Entry[] {
  try {
    return readEntries(folder);
  } catch (error) {
    throw failure(error, EXIT.invalid);
  }
}

function assertFolder(folder: string, mayBeNew: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found ? found.isDirectory() : mayBeNew) return;
  throw new CommandError(
    found ? `${folder} is not a folder.` : `The folder ${folder} does not exist.`,
    EXIT.usage,
  );
}

type Values = OptionValues<typeof OPTIONS>;

async function pull(api: Api, folder: string, values: Values): Promise<void> {
  if (findJournal(folder, api.url))
    throw new CommandError('A push was interrupted. Run push again first: it completes or undoes it.');
  const remote = await readRemote(api);
  writeEntries(folder, remote);
  writeSeen(folder, api, seenOf(remote));
  const files = remote.map(({ path }) => path);
  print(values.json ? printableJson({ files }) : `${files.length} entries in ${folder}.`);
}

/** Shows the changes that a push of the folder would make, and what is wrong with its files. */
async function compare(api: Api, folder: string, values: Values) {
  const interrupted = findJournal(folder, api.url);
  const remote = await readRemote(api);
  const files = readFiles(folder);
  // An interrupted push is undone from its journal.
  if (files.length === 0 && !interrupted)
    throw new CommandError(`The folder ${folder} has no entries.`, EXIT.usage);
  const stored = new Set(remote.map(({ path }) => path));
  const isKept = (path: string) => stored.has(path) && !values.delete;
  const { entries, problems } = await checkEntries(files, isKept);
  const changes = wantedChanges(remote, entries, { interrupted, isDeleting: values.delete === true });
  if (interrupted) console.error('An earlier push was interrupted. This one completes or undoes it.');
  const shown = { changes: changes.map(({ kind, path }) => ({ kind, path })), problems };
  if (values.json) print(printableJson(shown));
  else print(changes.length === 0 ? 'Nothing changes.' : changes.map(lineOf).join('\n'));
  return { interrupted, remote, files, changes, problems };
}

function assertValid(problems: readonly string[]): void {
  if (problems.length > 0) throw new CommandError(problems.join('\n'), EXIT.invalid);
}

async function diff(api: Api, folder: string, values: Values): Promise<ExitCode> {
  const { changes, problems } = await compare(api, folder, values).catch((error) => {
    throw failure(error, EXIT.uncompared);
  });
  assertValid(problems);
  return changes.length === 0 ? EXIT.done : EXIT.failed;
}

async function pushFolder(api: Api, folder: string, values: Values): Promise<void> {
  const { interrupted, remote, files, changes, problems } = await compare(api, folder, values);
  // The service's rejection undoes an interrupted push.
  if (!interrupted) assertValid(problems);
  const seen = readSeen(folder, api);
  if (!values.overwrite) assertUnchanged(changes, changedSince(seen, remote), interrupted);
  if (changes.length > 0 && !values.yes && !(await isConfirmed(changes.length)))
    throw new CommandError('Nothing was changed.');
  const deleted = new Set(changes.flatMap(({ kind, path }) => (kind === 'delete' ? [path] : [])));
  const after = [...new Map([...remote, ...files].map((entry) => [entry.path, entry])).values()];
  await push(api, folder, changes, {
    journal: journalOf(api.url, remote, changes, interrupted),
    after: after.filter(({ path }) => !deleted.has(path)),
  });
  if (changes.length === 0) return;
  const paths = [...changes, ...files].map(({ path }) => path);
  writeSeen(folder, api, { ...seen, ...seenOf(entriesOf(await readRemote(api), paths)) });
  if (!values.json) print(`${changes.length} changes applied.`);
}

/** Writes what the client is typed with. */
async function writeTypes(api: Api, { out = 'notifications.d.ts', json }: Values): Promise<void> {
  const entries = await readRemote(api);
  writeFileSync(out, declarationsOf(entries));
  const count = entries.filter(({ path }) => path.startsWith('types/')).length;
  print(json ? printableJson({ file: out, types: count }) : `${count} types in ${out}.`);
}

const ACTIONS = { pull, diff, push: pushFolder };

runCommand(
  {
    about: ABOUT,
    options: OPTIONS,
    notes: NOTES,
    exits: `diff: 0 no changes, 1 changes, 2 wrong options, 3 a file is not valid, 4 failed. push: 3 a file is not valid.`,
    hasArguments: true,
  },
  async (values, positionals) => {
    const [action = '', folder, ...more] = positionals;
    if (action === 'types' && folder === undefined) {
      await writeTypes(await openApi(values), values);
      return EXIT.done;
    }
    if (!folder || more.length > 0 || !Object.hasOwn(ACTIONS, action))
      throw new CommandError(
        'Pass pull, diff or push, and a folder, or types. --help lists the options.',
        EXIT.usage,
      );
    assertFolder(folder, action === 'pull');
    const code = await ACTIONS[action as keyof typeof ACTIONS](await openApi(values), folder, values);
    return code ?? EXIT.done;
  },
);
