import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { findBrowser, NO_BROWSER } from '../test/support/browser.ts';
import { COMPATIBILITY_TYPES, OPENAPI, UNUSED } from './test/steps.ts';
import { COMPILED_ONCE, runSuite } from './test/suite.ts';

const FOLDER = resolve(import.meta.dirname, '../test/compatibility');
const MARK = resolve(FOLDER, 'node_modules/.installed-lock.json');
/** The examples import frameworks too. */
const EXAMPLES = resolve(import.meta.dirname, '../examples/node_modules');

/** Installs the packages that only the compatibility tests use, unless they are there. */
function installCompatibility(): void {
  const lock = readFileSync(resolve(FOLDER, 'package-lock.json'), 'utf8');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === lock) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('the packages of test/compatibility cannot be installed');
  if (!existsSync(EXAMPLES)) symlinkSync(resolve(FOLDER, 'node_modules'), EXAMPLES);
  writeFileSync(MARK, lock);
}

/** Files that `npm run test:all` omits, with the reason. Run one with `vitest run --project scale <file>`. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'test/examples.scale.test.ts': 'installs packages, which takes minutes',
};

const note = Object.entries(LEFT_OUT)
  .map(([file, reason]) => `Omitted: ${file} (${reason})`)
  .join('\n');

runSuite({
  about: `Runs the tests at scale, the cases, fault runs and outages that npm test leaves to it, and the tests of access patterns once
more on DynamoDB Local.

${note}

npm run test:all -- [file …] [options]`,
  note,
  prepare: installCompatibility,
  steps: [UNUSED, OPENAPI, COMPATIBILITY_TYPES],
  findLack: async () => ((await hasBrowser()) ? undefined : NO_BROWSER),
  targetSeconds: 360,
  projects: ['faults', 'rest', 'scale', 'database'],
  settings: {
    ...COMPILED_ONCE,
    LEFT_OUT: Object.keys(LEFT_OUT).join(','),
    CASES: 'rest',
    // Its tests wait for processes and pages that they started.
    VITEST_MAX_WORKERS: String(2 * availableParallelism()),
  },
});

/** A browser that CHROMIUM_PATH names is tried before anything is installed. */
async function hasBrowser(): Promise<boolean> {
  if (process.env.CHROMIUM_PATH === undefined) installCompatibility();
  const browser = await findBrowser();
  await browser?.close();
  return browser !== undefined;
}
