import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../test/compatibility');
const MARK = resolve(FOLDER, 'node_modules/.installed-lock.json');
/** The examples import frameworks too. */
const EXAMPLES = resolve(import.meta.dirname, '../examples/node_modules');

/** Installs the packages that only the compatibility tests use, unless they are there. */
export function installCompatibility(): void {
  const lock = readFileSync(resolve(FOLDER, 'package-lock.json'), 'utf8');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === lock) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('the packages of test/compatibility cannot be installed');
  if (!existsSync(EXAMPLES)) symlinkSync(resolve(FOLDER, 'node_modules'), EXAMPLES);
  writeFileSync(MARK, lock);
}
