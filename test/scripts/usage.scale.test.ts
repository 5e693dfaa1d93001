import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
const COMMANDS = Object.entries<string>(scripts).filter(([, command]) => /^node .*\.ts$/.test(command));

it.each(COMMANDS)('npm run %s exits with 2 and one line when an option is wrong', (_, command) => {
  const [, ...args] = command.split(' ');
  const { status, stderr } = spawnSync(process.execPath, [...args, '--no-such-option'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, "Unknown option '--no-such-option'. --help lists the options.\n"]);
});
