import { runSuite } from './suite.ts';

runSuite({
  about: `Runs the functions of the synthesized templates from their zips, with the permissions that they have in AWS.

npm run test:cloud -- [file …] [options]
`,
  projects: ['scale'],
  files: ['test/cloud'],
});
