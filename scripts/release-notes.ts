import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { notesOf } from './build/changelog.ts';
import { CommandError, EXIT, readOptions, runCommand } from './frame/command.ts';

const HELP = `Prints the notes of a release from CHANGELOG.md, and checks that all packages have its version.

node scripts/release-notes.ts --version <version>
  --help   this text`;

const PACKAGES = ['package.json', 'client/package.json', 'cdk/package.json', 'local/package.json'];
const OPTIONS = { version: { type: 'string' }, help: { type: 'boolean' } } as const;

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8');

runCommand(HELP, async () => {
  const { version } = readOptions(OPTIONS);
  if (version === undefined) throw new CommandError('Pass --version <version>.', EXIT.usage);
  const others = PACKAGES.filter((file) => JSON.parse(read(file)).version !== version);
  if (others.length > 0) throw new CommandError(`Set the version ${version} in ${others.join(' and ')}.`);
  console.log(notesOf(read('CHANGELOG.md'), version));
  return EXIT.done;
});
