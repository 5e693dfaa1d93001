import { COMPILED_ONCE, runSuite } from './test/suite.ts';

runSuite({
  about: `Deploys the service into an AWS emulator with this project's own command, and uses it from outside. Needs Python 3.10 or
newer with venv. KEEP_AWS_LOG=1 keeps the emulator's log. faults: plants faults into the deployed service instead, one at a time,
and shows that each turns the run red.

npm run test:aws -- [faults] [options]`,
  projects: ['aws'],
  files: ['test/aws/deployed'],
  settings: COMPILED_ONCE,
});
