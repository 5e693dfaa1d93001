import { testConcurrency } from './concurrency.ts';

testConcurrency(400);
