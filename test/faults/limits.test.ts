import { checkScenarios } from './check.ts';
import { scenarios as limits } from './scenarios/limits.ts';
import { scenarios as topics } from './scenarios/topics.ts';

checkScenarios([...limits, ...topics]);
