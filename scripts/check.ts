import { EXIT, runTask } from './frame/command.ts';
import { hasKnip, LINT, runSteps, STUDIO_TYPES, TYPES, UNUSED } from './test/steps.ts';

const HELP = `Runs lint, types, unused code and the tests of pure rules and grants: before every commit.

npm run check`;

const PURE = ['test/shared/domain', 'test/shared/rendering', 'test/shared/http'];
const GRANTS = 'test/infra/aws/permissions/grants.test.ts';
const unit = { name: 'unit', command: 'vitest', args: ['run', '--project', 'main', ...PURE, GRANTS] };

runTask(HELP, async () => {
  if (!hasKnip())
    console.log('Unused code is not looked for: npm ci --prefix test/compatibility installs knip.');
  const failed = await runSteps([LINT, TYPES, STUDIO_TYPES, ...(hasKnip() ? [UNUSED] : [])], unit);
  if (failed.length === 0) return EXIT.done;
  console.error(`\nFailed: ${failed.join(', ')}`);
  return EXIT.failed;
});
