import { LINT, OPENAPI, runSteps, TYPES, UNUSED } from './steps.ts';

const PURE = ['test/shared/domain', 'test/shared/rendering', 'test/shared/http'];
const unit = { name: 'unit', command: 'vitest', args: ['run', ...PURE] };

const failed = runSteps([LINT, TYPES, UNUSED, OPENAPI, unit]);
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
