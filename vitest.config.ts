import { availableParallelism } from 'node:os';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { HANG_MS } from './test/support/until.ts';

const SCALE = 'test/**/*.scale.test.ts';
const AWS = 'test/aws/**';
const PACKAGES = '**/node_modules/**';
/** Files that `npm run test:all` omits; `--exclude` does not reach projects. */
const LEFT_OUT = process.env.LEFT_OUT?.split(',') ?? [];

const ON_DYNAMODB = { TEST_DATABASE: 'dynamodb-local' };

const common = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/properties.ts', 'test/support/settings.ts'],
  // Only what hangs ends here: how long a test takes depends on the machine, and proves nothing.
  testTimeout: 2 * HANG_MS,
  hookTimeout: 2 * HANG_MS,
  expect: { poll: { timeout: HANG_MS } },
  pool: 'forks',
} satisfies TestUserConfig;

export default defineConfig({
  test: {
    // The tests wait for the database half of their time.
    maxWorkers: Math.max(2, availableParallelism()),
    // `npm test` runs `main`, with tables in memory. `npm run test:all` runs `scale`: a thousand concurrent, whole runs, every
    // bundle, deployments; and `database`: the access patterns of `main` once more, on DynamoDB Local.
    projects: [
      { test: { ...common, name: 'main', include: ['test/**/*.test.ts'], exclude: [SCALE, AWS, PACKAGES] } },
      {
        test: {
          ...common,
          name: 'scale',
          include: [SCALE],
          exclude: [PACKAGES, ...LEFT_OUT],
          env: ON_DYNAMODB,
        },
      },
      // The deployed service in an AWS emulator: one file, which starts it once.
      { test: { ...common, name: 'aws', include: ['test/aws/**/*.aws.test.ts'] } },
      {
        test: {
          ...common,
          name: 'database',
          include: ['test/shared/database/**/*.test.ts'],
          exclude: [SCALE, PACKAGES],
          env: ON_DYNAMODB,
        },
      },
    ],
  },
});
