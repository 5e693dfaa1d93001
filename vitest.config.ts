import { availableParallelism } from 'node:os';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { HeaviestFirst } from './test/support/heaviest-first.ts';
import { HANG_MS } from './test/support/until.ts';

const SCALE = 'test/**/*.scale.test.ts';
const AWS = 'test/aws/**';
const FAULTS = 'test/faults/**/*.test.ts';
const PACKAGES = '**/node_modules/**';
/** Files that `npm run test:all` omits; `--exclude` does not reach projects. */
const LEFT_OUT = process.env.LEFT_OUT?.split(',') ?? [];

/** Files that start processes, spy on globals or set variables at import: each has a process of its own. */
export const APART = [
  'test/infra/bundle/readable-stack.test.ts',
  'test/infra/local/database/embedded/sqlite.test.ts',
  'test/infra/local/gateway/gateway.test.ts',
  'test/infra/local/queue/queue.test.ts',
  'test/scripts/{browser-in-ci,pause,restore}.test.ts',
  'test/security/terminal.test.ts',
  'test/shared/runtime/logger.test.ts',
];

/** Files with cases that `npm test` leaves to `npm run test:all` (test/support/cases.ts). */
export const IN_PARTS = [
  'test/functions/digests/over-limit.test.ts',
  'test/functions/schedules/sweep.test.ts',
  'test/functions/unsubscribe/preferences-page.test.ts',
  'test/functions/users/data-map-stories.test.ts',
  'test/functions/waiting/waiting.test.ts',
  'test/functions/workers/delivery/decided-again.test.ts',
  'test/functions/workers/inbound/hostile-mail.test.ts',
  'test/functions/workers/redrive/resend-failed.test.ts',
  'test/infra/aws/rows.test.ts',
  'test/infra/aws/scale.test.ts',
  'test/openapi-requests.test.ts',
  'test/security/other-accounts.test.ts',
  'test/shared/domain/timing/delivery-options-zones.test.ts',
  'test/shared/domain/timing/timezone.test.ts',
];

/** Files that need DynamoDB Local: one turns on the stream of a table, one compares the embedded table with it. */
const DYNAMODB_ONLY = ['test/shared/database/stored-shapes.test.ts', 'test/support/memory-dynamodb/**'];

/**
 * AWS's validation of templates takes most of a synthesis; one test asks for it (exports.scale.test.ts). Where the code made each
 * resource, which no test reads, takes a third of the rest.
 */
const ENV = { CDK_VALIDATION: 'false', CDK_DISABLE_STACK_TRACE: 'true' };
/** A line for each of 8,000 refused requests takes 3 % of a run, and hides what a test prints. */
const QUIET = { ...ENV, LOG_LEVEL: 'WARN' };
const ON_DYNAMODB = { ...ENV, TEST_DATABASE: 'dynamodb-local' };

const PATIENCE = { timeout: HANG_MS };

const common = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/properties.ts', 'test/support/settings.ts'],
  // Only what hangs ends here: how long a test takes depends on the machine, and proves nothing.
  testTimeout: 2 * HANG_MS,
  hookTimeout: 2 * HANG_MS,
  // A test whose conditions, loops or callbacks reach no assertion fails.
  expect: { poll: PATIENCE, requireAssertions: true },
  // The summary repeats the first line of an error: it shows the values, not `Array(1)`.
  chaiConfig: { truncateThreshold: 1000 },
  env: ENV,
  pool: 'forks',
} satisfies TestUserConfig;

/** Node.js itself loads the modules, as it loads the service: to rewrite each for Vite's runner takes a tenth of a run. */
const native = { ...common, experimental: { viteModuleRunner: false } } satisfies TestUserConfig;

export default defineConfig({
  test: {
    // A tenth of the files wait for sockets and timers: one more process keeps every core busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: HeaviestFirst },
    // `npm test` runs `main`, whose files share a process per core, `apart` and `faults`, with tables in memory. `npm run test:all`
    // runs `scale`: a thousand concurrent, whole runs, every bundle, deployments, packages of others; `rest`: the cases that `main`
    // leaves out; and `database`: the access patterns of `main` once more, on DynamoDB Local.
    projects: [
      { test: { ...native, name: 'faults', isolate: false, include: [FAULTS], exclude: [SCALE] } },
      { test: { ...native, name: 'apart', include: APART, env: QUIET } },
      {
        test: {
          ...native,
          name: 'main',
          isolate: false,
          env: QUIET,
          include: ['test/**/*.test.ts'],
          exclude: [SCALE, AWS, FAULTS, PACKAGES, ...DYNAMODB_ONLY, ...APART],
        },
      },
      { test: { ...native, name: 'rest', isolate: false, env: QUIET, include: IN_PARTS } },
      {
        test: {
          ...native,
          name: 'scale',
          isolate: false,
          include: [SCALE],
          exclude: [PACKAGES, ...LEFT_OUT],
        },
      },
      // The deployed service in an AWS emulator: one file, which starts it once. Vitest cannot tell whose assertion it was when tests
      // run at the same time.
      {
        test: { ...common, name: 'aws', include: ['test/aws/**/*.aws.test.ts'], expect: { poll: PATIENCE } },
      },
      {
        test: {
          ...native,
          name: 'database',
          isolate: false,
          include: ['test/shared/database/**/*.test.ts', 'test/support/memory-dynamodb/*.test.ts'],
          exclude: [PACKAGES, ...LEFT_OUT, 'test/shared/database/**/*.scale.test.ts'],
          env: ON_DYNAMODB,
        },
      },
    ],
  },
});
