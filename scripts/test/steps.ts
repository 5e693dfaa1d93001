import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export type Step = { name: string; command: string; args: string[] };

/**
 * Runs the tests and beside them, since they wait a fifth of their time, the steps in order, all of them even when one fails. What
 * steps print follows the tests. Returns the names of what failed.
 */
export async function runSteps(steps: readonly Step[], tests: Step): Promise<string[]> {
  console.log(`\n> ${[tests, ...steps].map(({ name }) => name).join(', ')}`);
  const failed: string[] = [];
  const printed: string[] = [];
  const runBeside = async () => {
    for (const { name, command, args } of steps) {
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const [isDone, ...output] = await Promise.all([
        succeeds(child),
        text(child.stdout),
        text(child.stderr),
      ]);
      printed.push(`\n> ${name}\n${output.join('')}`);
      if (!isDone) failed.push(name);
    }
  };
  const [isDone] = await Promise.all([
    succeeds(spawn(tests.command, tests.args, { stdio: 'inherit' })),
    runBeside(),
  ]);
  console.log(printed.join(''));
  return isDone ? failed : [...failed, tests.name];
}

const succeeds = (child: ChildProcess) =>
  new Promise<boolean>((resolved) => {
    child.on('close', (status) => resolved(status === 0)).on('error', () => resolved(false));
  });

export const LINT: Step = { name: 'lint', command: 'biome', args: ['check', '.'] };
const KNIP = resolve(import.meta.dirname, '../../test/compatibility/node_modules/.bin/knip');
export const UNUSED: Step = { name: 'unused code', command: KNIP, args: ['--no-progress'] };
export const hasKnip = () => existsSync(KNIP);
export const TYPES: Step = { name: 'types', command: 'tsc', args: ['--noEmit'] };
export const STUDIO_TYPES: Step = {
  name: 'types of the studio',
  command: 'tsc',
  args: ['--noEmit', '-p', 'studio'],
};
export const OPENAPI: Step = {
  name: 'OpenAPI rules',
  command: 'node',
  args: ['test/compatibility/lint-openapi.ts'],
};
export const COMPATIBILITY_TYPES: Step = {
  name: 'types of the compatibility tests',
  command: 'tsc',
  args: ['--noEmit', '-p', 'test/compatibility'],
};
