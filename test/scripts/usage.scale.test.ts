import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from './run-here.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
const COMMANDS = Object.entries<string>(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+\.ts)$/.exec(command) ?? [];
  return file ? [[name, file] as const] : [];
});
const WRONG = '--no-such-option';
const REFUSED = { code: 2, output: '', errors: `Unknown option '${WRONG}'. --help lists the options.\n` };

it('reads the commands of package.json', () => expect(COMMANDS.length).toBeGreaterThan(30));

it.each(COMMANDS)('npm run %s exits with 2 and one line when an option is wrong', async (_, file) => {
  // One that ends its process must have a process.
  const isEnding = readFileSync(resolve(ROOT, file), 'utf8').includes('process.exit(');
  const run = isEnding || file === 'scripts/token.ts' ? spawned : runHere;
  expect(await run(resolve(ROOT, file), [WRONG], process.env)).toEqual(REFUSED);
});

function spawned(file: string, args: readonly string[]): typeof REFUSED {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], options);
  return { code: status ?? 0, output: stdout, errors: stderr };
}
