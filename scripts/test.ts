import { LINT, STUDIO_TYPES, TYPES } from './test/steps.ts';
import { runSuite } from './test/suite.ts';

/** Another order of the files of `main` every day, which shows what one leaves behind for another. */
const seed = process.env.SHUFFLE ?? new Date().toISOString().slice(0, 10);

runSuite({
  about: `Runs lint, types, and the tests of the folder test, with tables in memory.

npm test -- [file …] [options]`,
  note: `Shuffled with SHUFFLE=${seed}`,
  targetSeconds: 100,
  projects: ['faults', 'apart', 'main'],
  settings: { SHUFFLE: seed, CASES: 'few' },
  steps: [LINT, TYPES, STUDIO_TYPES],
});
