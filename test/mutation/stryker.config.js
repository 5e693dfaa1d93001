import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const entities = (name) => ({ files: `shared/database/entities/${name}/**/*.ts` });

/**
 * The rules that are changed one by one, to see that a test notices: one part a night, of at most 1,100 changes, with the
 * percentage of them that tests must notice; of parts without one, those that none notices are only printed.
 * `npm run test:mutations -- --mutate <file>` changes others.
 */
const PARTS = [
  { files: 'shared/domain/content/**/*.ts', floor: 90 },
  { files: 'shared/domain/{costs,domains,phone}/**/*.ts', floor: 90 },
  { files: 'shared/domain/logs/**/*.ts', floor: 90 },
  { files: 'shared/domain/routing/**/*.ts', floor: 90 },
  { files: 'shared/domain/timing/**/*.ts', floor: 90 },
  { files: 'shared/domain/users/**/*.ts', floor: 90 },
  { files: 'functions/workers/digest/**/*.ts', floor: 65 },
  { files: 'functions/sending/decide/**/*.ts', floor: 75 },
  { files: 'functions/sending/{*.ts,accept/**/*.ts}' },
  { files: 'functions/sending/content/**/*.ts' },
  { files: 'functions/sending/waiting/**/*.ts' },
  ...['access', 'accounts', 'content', 'erasure', 'inapp'].map(entities),
  { files: 'shared/database/entities/{incoming,settings}/**/*.ts', floor: 70 },
  ...['logs', 'sending', 'usage', 'users', 'webhooks'].map(entities),
];

/** Each mutant is tried in a new process, which loads the modules again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');

const DAY_MS = 86_400_000;
const { files, floor = null } = PARTS[Math.floor(Date.now() / DAY_MS) % PARTS.length];

export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: [files, '!**/*routes.ts', '!**/workers.ts'],
  testFiles: ['test/shared/**/*.test.ts', 'test/functions/**/*.test.ts'],
  // Texts are not rules, and what only runs while a module loads is the same for every test.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  concurrency: availableParallelism(),
  dryRunTimeoutMinutes: 30,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { logTests: false, reportTests: false },
  // A change that no test can notice has `// Stryker disable next-line <mutator>: <reason>` above it.
  thresholds: { high: 100, low: 95, break: floor },
  tempDirName: join(tmpdir(), 'stryker'),
};
