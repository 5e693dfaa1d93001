import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSteps, type Step } from './steps.ts';

/**
 * Runs `steps` and then the Vitest project `project` with this process's arguments, all of them even when one fails.
 * Prints `N passed, N failed` as the last line, in which each step counts as one, and ends this process.
 */
export function runSuite(
  project: 'main' | 'scale',
  steps: readonly Step[],
  more: readonly string[] = [],
): never {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, ...reporters, ...more, ...process.argv.slice(2)];
  const failedSteps = runSteps([...steps, { name: 'tests', command: 'vitest', args }]);
  const { passed, failed } = readCounts(report);
  rmSync(folder, { recursive: true, force: true });
  const failures = failed + failedSteps.filter((name) => name !== 'tests' || failed === 0).length;
  const passes = passed + steps.filter(({ name }) => !failedSteps.includes(name)).length;
  if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`);
  console.log(`\n${passes} passed, ${failures} failed`);
  process.exit(failures === 0 && passed > 0 ? 0 : 1);
}

/** Returns Vitest's counts; a run without a report counts nothing. */
function readCounts(report: string): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
