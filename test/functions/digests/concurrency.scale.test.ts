import { testConcurrency } from './concurrency.ts';

testConcurrency(1000);
