import { LINT, TYPES } from './steps.ts';
import { runSuite } from './suite.ts';

runSuite('main', [LINT, TYPES]);
