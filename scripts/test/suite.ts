import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EXIT, readArguments, runCommand } from '../frame/command.ts';
import { type FileTime, failedOf, printSlowest, recordTimes, timesOf } from './slowest.ts';
import { runSteps, type Step } from './steps.ts';

type Suite = {
  /** Description of the suite for `--help`. */
  about: string;
  projects: readonly ('faults' | 'apart' | 'main' | 'scale' | 'database' | 'aws')[];
  /** Run before the tests. */
  steps?: readonly Step[];
  /** Of the tests, when the command line names none. */
  files?: readonly string[];
  settings?: Readonly<Record<string, string>>;
  /** Printed first. */
  note?: string;
  /** Returns what this machine lacks, in one line: CI fails at once, elsewhere the tests that need it are skipped. */
  findLack?: () => Promise<string | undefined>;
  /** Runs before the steps. */
  prepare?: () => void;
};

const OPTIONS = { testNamePattern: { type: 'string', short: 't' }, help: { type: 'boolean' } } as const;
const HELP = `
  [file …]                        only the files whose path contains one of these
  -t, --testNamePattern <regex>   only the tests with such a name
  --help                          this text`;

/**
 * Runs the steps and then the suite's tests, all of them even when one fails. The last line is `N passed, N failed`, with each
 * step counted as one.
 */
export function runSuite({
  about,
  projects,
  steps = [],
  files = [],
  settings = {},
  note,
  findLack,
  prepare,
}: Suite): void {
  runCommand(about + HELP, async () => {
    const { values, positionals } = readArguments(OPTIONS);
    if (note) console.log(note);
    const lack = process.env.CI === undefined ? undefined : await findLack?.();
    if (lack) {
      console.log(`${lack}\n\n0 passed, 1 failed`);
      return EXIT.failed;
    }
    prepare?.();
    // Several processes run the tests: packages are compiled once for all of them.
    process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../node_modules/.cache/compiled');
    Object.assign(process.env, settings);
    const folder = mkdtempSync(join(tmpdir(), 'test-'));
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const names = values.testNamePattern === undefined ? [] : ['-t', values.testNamePattern];
    const chosen = positionals.length > 0 ? positionals : files;
    const args = [
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      ...reporters,
      ...names,
      ...chosen,
    ];
    const failedSteps = runSteps([...steps, { name: 'tests', command: 'vitest', args }]);
    const { passed, failed, failedTests, times } = readReport(report);
    rmSync(folder, { recursive: true, force: true });
    const failures = failed + failedSteps.filter((name) => name !== 'tests' || failed === 0).length;
    const passes = passed + steps.filter(({ name }) => !failedSteps.includes(name)).length;
    printSlowest(times);
    // .ci/run repeats these lines at its end.
    for (const name of [...failedSteps.filter((step) => step !== 'tests'), ...failedTests])
      console.log(`FAILED ${name}`);
    if (process.env.RECORD_DURATIONS) recordTimes(times);
    console.log(`\n${passes} passed, ${failures} failed`);
    return failures === 0 && passed > 0 ? EXIT.done : EXIT.failed;
  });
}

type Report = { passed: number; failed: number; failedTests: string[]; times: FileTime[] };

/** Returns Vitest's counts, failed tests and the times of its files; a run without a report counts nothing. */
function readReport(report: string): Report {
  try {
    const read = JSON.parse(readFileSync(report, 'utf8'));
    const failedTests = failedOf(read);
    return { passed: read.numPassedTests, failed: read.numFailedTests, failedTests, times: timesOf(read) };
  } catch {
    return { passed: 0, failed: 0, failedTests: [], times: [] };
  }
}
