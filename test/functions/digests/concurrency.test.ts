import { testConcurrency } from './concurrency.ts';

// More than two rounds of claims; eight are in concurrency.scale.test.ts.
testConcurrency(120);
