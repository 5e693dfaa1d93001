import { runSuite } from './test/suite.ts';

runSuite({
  about: `Runs every fault at every external call of each scenario. It takes about ten minutes on two cores; npm test runs a
part of them.

npm run test:faults -- [file …] [options]`,
  projects: ['faults', 'scale'],
  files: ['test/faults'],
  settings: { CASES: 'all' },
});
