import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { notesOf } from './build/changelog.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';

const ABOUT =
  'Prints the notes of a release from CHANGELOG.md, and checks that all packages have its version.';

const PACKAGES = ['package.json', 'client/package.json', 'cdk/package.json', 'local/package.json'];
const OPTIONS = { version: option.value('<version>', 'of the release'), help: option.flag('this text') };

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8');

runCommand({ about: ABOUT, options: OPTIONS }, async ({ version }) => {
  if (version === undefined) throw new CommandError('Pass --version <version>.', EXIT.usage);
  const others = PACKAGES.filter((file) => JSON.parse(read(file)).version !== version);
  if (others.length > 0) throw new CommandError(`Set the version ${version} in ${others.join(' and ')}.`);
  console.log(notesOf(read('CHANGELOG.md'), version));
});
