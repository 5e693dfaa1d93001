import { testConcurrency } from './concurrency.ts';

// More than two rounds of claims; a thousand items are in concurrency.scale.test.ts.
testConcurrency(120);
