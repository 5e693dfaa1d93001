import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** A room, its lines and files of TypeScript that may only fall, and the lines that it should have. */
type Budget = { room: string; lines: number; files: number; target: number };

/** Lower a limit with what you remove; raise one only with the reason in the commit. `npm run budgets` prints the figures. */
const BUDGETS: readonly Budget[] = [
  { room: 'shared', lines: 40500, files: 560, target: 30_000 },
  { room: 'functions', lines: 19900, files: 345, target: 16_000 },
  { room: 'infra', lines: 16500, files: 190, target: 8_000 },
  { room: 'scripts', lines: 8400, files: 95, target: 5_000 },
  { room: 'studio', lines: 7800, files: 90, target: 7_100 },
  { room: 'client', lines: 3500, files: 45, target: 3_000 },
  { room: 'test', lines: 83000, files: 740, target: 58_000 },
];

/** Texts of the API are prose, and what a generator writes nobody holds in their head. */
const UNCOUNTED = /\.texts\.ts$|\/generated\//;

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !UNCOUNTED.test(file));

const measured = BUDGETS.map((budget) => {
  const files = tracked.filter((file) => file.startsWith(`${budget.room}/`));
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  return { ...budget, found: { lines, files: files.length } };
});

/** A file that is deleted and not yet committed has no lines. */
function linesOf(file: string): number {
  try {
    return readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}

afterAll(() => {
  if (!process.env.PRINT_BUDGETS) return;
  console.table(
    measured.map(({ room, lines, files, target, found }) => ({
      room,
      lines: found.lines,
      'at most': lines,
      target,
      files: found.files,
      'files at most': files,
    })),
  );
});

it.each(measured)('$room has no more lines and files than its budget', ({ lines, files, found }) => {
  expect(found.lines).toBeGreaterThan(1000);
  expect(found.lines).toBeLessThanOrEqual(lines);
  expect(found.files).toBeLessThanOrEqual(files);
});
