import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** A test file of a run, and how long it took without waiting for a process. */
export type FileTime = { file: string; seconds: number };

const ROOT = resolve(import.meta.dirname, '../..');
const RECORD = resolve(ROOT, 'test/slowest.json');
const PRINTED = 20;
/** Files below are not worth sorting. */
const RECORDED_SECONDS = 0.5;

type Result = { status: string; fullName: string };
type TestFile = {
  name: string;
  status: string;
  startTime: number;
  endTime: number;
  assertionResults: readonly Result[];
};
type JsonReport = { testResults: readonly TestFile[] };

/** Failed tests as `<file> > <test>`, and files that failed outside their tests by their name. */
export function failedOf({ testResults }: JsonReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0 ? failed.map(({ fullName }) => `${file} > ${fullName}`) : [file];
    });
}

/** The files of Vitest's JSON report, the slowest first; files that ran in two projects count with their longer run. */
export function timesOf({ testResults }: JsonReport): FileTime[] {
  const longest = new Map<string, number>();
  for (const { name, startTime, endTime } of testResults) {
    const file = relative(ROOT, name);
    longest.set(file, Math.max(longest.get(file) ?? 0, (endTime - startTime) / 1000));
  }
  return [...longest]
    .map(([file, seconds]) => ({ file, seconds }))
    .sort((left, right) => right.seconds - left.seconds);
}

export function printSlowest(times: readonly FileTime[]): void {
  console.log('\nSlowest files:');
  for (const { file, seconds } of times.slice(0, PRINTED))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/**
 * Writes the times that sort the files of the next runs (test/support/heaviest-first.ts). Files that did not run keep their
 * times.
 */
export function recordTimes(times: readonly FileTime[]): void {
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
