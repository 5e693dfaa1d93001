import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINT, runSteps, TYPES } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-'));
const report = join(folder, 'report.json');
const tests = {
  name: 'tests',
  command: 'vitest',
  args: [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
};

const failedSteps = runSteps([LINT, TYPES, tests]);
const { passed, failed } = readCounts();
rmSync(folder, { recursive: true, force: true });
const failures = failed + failedSteps.filter((name) => name !== 'tests' || failed === 0).length;
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`);
console.log(`\n${passed + 3 - failedSteps.length} passed, ${failures} failed`);
process.exit(failures === 0 && passed > 0 ? 0 : 1);

/** What vitest counted; a run that wrote no report counted nothing. */
function readCounts(): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
