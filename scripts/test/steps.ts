import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export type Step = { name: string; command: string; args: string[] };

/** Runs the steps in order, all of them even when one fails. Returns the names of failed steps. */
export function runSteps(steps: readonly Step[]): string[] {
  return steps
    .filter(({ name, command, args }) => {
      console.log(`\n> ${name}`);
      return spawnSync(command, args, { stdio: 'inherit' }).status !== 0;
    })
    .map((step) => step.name);
}

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
