import { EXIT, runTask } from './command.ts';
import { LINT, OPENAPI, runSteps, STUDIO_TYPES, TYPES, UNUSED } from './steps.ts';

const HELP = `Runs lint, types, unused code, the rules of OpenAPI and the tests of pure rules and grants: before every commit.

npm run check`;

const PURE = ['test/shared/domain', 'test/shared/rendering', 'test/shared/http'];
const GRANTS = 'test/infra/aws/permissions/grants.test.ts';
const unit = { name: 'unit', command: 'vitest', args: ['run', '--project', 'main', ...PURE, GRANTS] };

runTask(HELP, async () => {
  const failed = runSteps([LINT, TYPES, STUDIO_TYPES, UNUSED, OPENAPI, unit]);
  if (failed.length === 0) return EXIT.done;
  console.error(`\nFailed: ${failed.join(', ')}`);
  return EXIT.failed;
});
