import { LINT, STUDIO_TYPES, TYPES } from './steps.ts';
import { runSuite } from './suite.ts';

runSuite({
  about: `Runs lint, types, and the unit and DynamoDB tests.

npm test -- [file …] [options]
`,
  projects: ['faults', 'apart', 'main'],
  steps: [LINT, TYPES, STUDIO_TYPES],
});
