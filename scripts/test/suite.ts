import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { EXIT, option, runCommand } from '../frame/command.ts';
import { runSteps, type Step } from './steps.ts';

/** A test file of a run, and how long it took without waiting for a process. */
type FileTime = { file: string; seconds: number };

const ROOT = resolve(import.meta.dirname, '../..');
const RECORD = resolve(ROOT, 'test/slowest.json');
/** Settings of suites that start many processes: packages are compiled once for all of them. Others are faster without. */
export const COMPILED_ONCE = { NODE_COMPILE_CACHE: resolve(ROOT, 'node_modules/.cache/compiled') };
const PRINTED = 20;
/** Files below are not worth sorting. */
const RECORDED_SECONDS = 0.5;

type Result = { status: string; fullName: string; failureMessages: readonly string[] };
type TestFile = {
  name: string;
  status: string;
  startTime: number;
  endTime: number;
  assertionResults: readonly Result[];
};
type JsonReport = { testResults: readonly TestFile[] };

/** Failed tests as `<file> > <test>: <error>`, and files that failed outside their tests by their name. */
function failedOf({ testResults }: JsonReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0
        ? failed.map(
            ({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLineOf(failureMessages)}`,
          )
        : [file];
    });
}

const firstLineOf = ([message = '']: readonly string[]) => message.split('\n')[0]?.slice(0, 1000);

/** The files of Vitest's JSON report, the slowest first; files that ran in two projects count with their longer run. */
function timesOf({ testResults }: JsonReport): FileTime[] {
  const longest = new Map<string, number>();
  for (const { name, startTime, endTime } of testResults) {
    const file = relative(ROOT, name);
    longest.set(file, Math.max(longest.get(file) ?? 0, (endTime - startTime) / 1000));
  }
  return [...longest]
    .map(([file, seconds]) => ({ file, seconds }))
    .sort((left, right) => right.seconds - left.seconds);
}

function printSlowest(times: readonly FileTime[]): void {
  console.log('\nSlowest files:');
  for (const { file, seconds } of times.slice(0, PRINTED))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/**
 * Writes the times that sort the files of the next runs (test/support/heaviest-first.ts). Files that did not run keep their
 * times.
 */
function recordTimes(times: readonly FileTime[]): void {
  const before: Record<string, number> = JSON.parse(readFileSync(RECORD, 'utf8'));
  const slow = times.filter(({ seconds }) => seconds >= RECORDED_SECONDS);
  const ran = new Set(times.map(({ file }) => file));
  const kept = Object.entries(before).filter(([file]) => !ran.has(file));
  const all = [
    ...kept,
    ...slow.map(({ file, seconds }): [string, number] => [file, Math.round(seconds * 10) / 10]),
  ];
  writeFileSync(
    RECORD,
    `${JSON.stringify(Object.fromEntries(all.sort(([, a], [, b]) => b - a)), null, 2)}\n`,
  );
}

type Suite = {
  /** Description of the suite for `--help`. */
  about: string;
  projects: readonly ('faults' | 'apart' | 'main' | 'rest' | 'scale' | 'database' | 'aws')[];
  /** Run beside the tests. */
  steps?: readonly Step[];
  /** Of the tests, when the command line names none. */
  files?: readonly string[];
  settings?: Readonly<Record<string, string>>;
  /** Printed first. */
  note?: string;
  /** Printed beside what the run took: the target of a quiet machine with two cores. */
  targetSeconds?: number;
  /** Returns what this machine lacks, in one line: CI fails at once, elsewhere the tests that need it are skipped. */
  findLack?: () => Promise<string | undefined>;
  /** Runs before the steps. */
  prepare?: () => void;
};

const OPTIONS = {
  testNamePattern: { ...option.value('<regex>', 'only the tests with such a name, also -t'), short: 't' },
  help: option.flag('this text'),
};
const NOTES = 'Files: only those whose path contains one of these.';

/**
 * Runs the suite's tests and steps, all of them even when one fails. The last line is `N passed, N failed`, with each
 * step counted as one.
 */
export function runSuite({
  about,
  projects,
  steps = [],
  files = [],
  settings = {},
  note,
  targetSeconds,
  findLack,
  prepare,
}: Suite): void {
  runCommand({ about, options: OPTIONS, notes: NOTES, hasArguments: true }, async (values, positionals) => {
    if (note) console.log(note);
    const lack = process.env.CI === undefined ? undefined : await findLack?.();
    if (lack) {
      console.log(`FAILED ${lack}\n\n0 passed, 1 failed`);
      return EXIT.failed;
    }
    prepare?.();
    Object.assign(process.env, settings);
    const folder = mkdtempSync(join(tmpdir(), 'test-'));
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const names = values.testNamePattern === undefined ? [] : ['-t', values.testNamePattern];
    const chosen = positionals.length > 0 ? positionals : files;
    const inProjects = projects.flatMap((name) => ['--project', name]);
    const args = ['run', ...inProjects, ...reporters, ...names, ...chosen];
    const failedSteps = await runSteps(steps, { name: 'tests', command: 'vitest', args });
    const { passed, failed, failedTests, times } = readReport(report);
    rmSync(folder, { recursive: true, force: true });
    const failures = failed + failedSteps.filter((name) => name !== 'tests' || failed === 0).length;
    const passes = passed + steps.filter(({ name }) => !failedSteps.includes(name)).length;
    printSlowest(times);
    // .ci/run repeats these lines at its end.
    for (const name of [...failedSteps.filter((step) => step !== 'tests'), ...failedTests])
      console.log(`FAILED ${name}`);
    if (process.env.RECORD_DURATIONS) recordTimes(times);
    const target = targetSeconds === undefined ? '' : ` (target ${targetSeconds} s)`;
    console.log(`\nTook ${process.uptime().toFixed(0)} s${target}\n\n${passes} passed, ${failures} failed`);
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
