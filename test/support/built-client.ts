import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { onceARun } from './once-a-run.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Builds client/dist once a run, because the build replaces files that other test files read; returns its folder. */
export function builtClient(): Promise<string> {
  return onceARun('client', () => {
    execFileSync('npm', ['run', '--silent', 'build:client'], { cwd: ROOT });
    return resolve(ROOT, 'client/dist');
  });
}

/** The scripts of a page without a bundler, by path. */
export async function classicScripts(): Promise<Record<string, string>> {
  const dist = await builtClient();
  const files = globSync('{*,locales/*}.global.js', { cwd: dist });
  return Object.fromEntries(files.map((file) => [`/${file}`, readFileSync(resolve(dist, file), 'utf8')]));
}
