import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** A room, its lines and files of TypeScript that may only fall, and the lines that it should have. */
type Budget = { room: string; lines: number; files: number; target: number };

/** Lower a limit with what you remove; raise one only with the reason in the commit. `npm run budgets` prints the figures. */
const BUDGETS: readonly Budget[] = [
  { room: 'shared', lines: 45992, files: 561, target: 30_000 },
  { room: 'functions', lines: 24823, files: 367, target: 16_000 },
  { room: 'infra', lines: 16882, files: 172, target: 8_000 },
  { room: 'scripts', lines: 8415, files: 86, target: 5_000 },
  { room: 'import', lines: 1627, files: 12, target: 1_440 },
  { room: 'studio', lines: 9277, files: 93, target: 7_100 },
  { room: 'client', lines: 3821, files: 44, target: 3_000 },
  // The construct is in infra: what is packed has no code of its own.
  { room: 'cdk', lines: 0, files: 0, target: 0 },
  { room: 'test', lines: 101807, files: 763, target: 58_000 },
];

/** Texts of the API are prose, and what a generator writes nobody holds in their head. */
const UNCOUNTED = /\.texts\.ts$|\/(generated|locales)\//;

const UNTRACKED = /(^|\/)(node_modules|dist|results)\//;

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;

const measured = BUDGETS.map((budget) => {
  const files = readdirSync(join(ROOT, budget.room), { recursive: true })
    .map(String)
    .filter((file) => /\.tsx?$/.test(file) && !UNCOUNTED.test(file) && !UNTRACKED.test(file));
  const lines = files.reduce((sum, file) => sum + linesOf(join(ROOT, budget.room, file)), 0);
  return { ...budget, found: { lines, files: files.length } };
});

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
  expect(found.lines).toBeGreaterThanOrEqual(Math.min(lines, 1000));
  expect(found.lines).toBeLessThanOrEqual(lines);
  expect(found.files).toBeLessThanOrEqual(files);
});
