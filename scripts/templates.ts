import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { API_HELP, API_OPTIONS, openApi } from './api.ts';
import { CommandError, EXIT, EXIT_HELP, readArguments, runCommand } from './command.ts';
import { applyChanges, type Change, changesBetween, readRemote } from './template-changes.ts';
import { readEntries, writeEntries } from './template-files.ts';

const HELP = `Keeps notification types, templates with their variants, email components and translations as files, for git.

npm run templates -- pull <folder>     writes those of the environment to the folder
npm run templates -- diff <folder>     shows what push would change; exit code 1 if there are changes
npm run templates -- push <folder>     shows the changes, asks, then makes all of them or none

  --delete               push also deletes entries that are not in the folder
  --yes                  do not ask
${API_HELP}

defaults/<type>/<channel>.json names the default template of each delivery mode.

${EXIT_HELP}`;

const OPTIONS = { ...API_OPTIONS, yes: { type: 'boolean' }, delete: { type: 'boolean' } } as const;
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

runCommand(HELP, async () => {
  const { values, positionals } = readArguments(OPTIONS);
  const [action, folder, ...more] = positionals;
  if (!folder || more.length > 0 || !['pull', 'diff', 'push'].includes(action ?? ''))
    throw new CommandError('Pass pull, diff or push, and a folder. --help lists the options.', EXIT.usage);
  const api = await openApi(values);
  const remote = await readRemote(api);
  if (action === 'pull') {
    writeEntries(folder, remote);
    console.log(
      values.json
        ? JSON.stringify({ files: remote.map(({ path }) => path) })
        : `${remote.length} entries in ${folder}.`,
    );
    return EXIT.done;
  }
  const all = changesBetween(remote, readEntries(folder));
  const changes = values.delete ? all : all.filter(({ kind }) => kind !== 'delete');
  if (values.json)
    console.log(JSON.stringify({ changes: changes.map(({ kind, path }) => ({ kind, path })) }));
  else console.log(changes.length === 0 ? 'Nothing changes.' : changes.map(lineOf).join('\n'));
  if (action === 'diff') return changes.length === 0 ? EXIT.done : EXIT.failed;
  if (changes.length === 0) return EXIT.done;
  if (!values.yes && !(await isConfirmed(changes.length))) throw new CommandError('Nothing was changed.');
  await applyChanges(api, changes, remote).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new CommandError(`Nothing was changed: ${reason}`);
  });
  if (!values.json) console.log(`${changes.length} changes applied.`);
  return EXIT.done;
});
