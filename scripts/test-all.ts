import { runSuite } from './suite.ts';

runSuite('scale', []);
