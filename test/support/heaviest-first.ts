import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');

/** Seconds of the files that take long, as the scripts record them (`RECORD_DURATIONS=1 npm test`). */
const SECONDS: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(ROOT, 'test/slowest.json'), 'utf8'),
);

/** Projects whose files start first: what comes last should be short, so that no core idles in the end. */
const FIRST = ['faults', 'apart'];

/**
 * The slowest files first. The files of a project stay together, since only they can share a process. With `SHUFFLE=<seed>`,
 * the files that share a process and have no recorded time run in an order that depends on the seed, which shows what a file
 * leaves behind for another.
 */
export class HeaviestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = process.env.SHUFFLE;
    const shuffled = byHash(seed ?? '');
    const within = (a: TestSpecification, b: TestSpecification) =>
      seed !== undefined && a.project.name === 'main'
        ? secondsOf(b) - secondsOf(a) || shuffled(a, b)
        : bySeconds(a, b);
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || byName(a, b) || within(a, b));
  }
}

const pathOf = ({ moduleId }: TestSpecification) => relative(ROOT, moduleId);

function rankOf({ project }: TestSpecification): number {
  const index = FIRST.indexOf(project.name);
  return index === -1 ? FIRST.length : index;
}

const byName = (a: TestSpecification, b: TestSpecification) => compare(a.project.name, b.project.name);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const secondsOf = (file: TestSpecification) => SECONDS[pathOf(file)] ?? 0;

const bySeconds = (a: TestSpecification, b: TestSpecification) =>
  secondsOf(b) - secondsOf(a) || compare(pathOf(a), pathOf(b));

const byHash = (seed: string) => (a: TestSpecification, b: TestSpecification) =>
  compare(hashOf(seed, a), hashOf(seed, b));

const hashOf = (seed: string, file: TestSpecification) =>
  createHash('sha256')
    .update(`${seed} ${pathOf(file)}`)
    .digest('hex');
