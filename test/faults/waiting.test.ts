import { checkScenarios } from './check.ts';
import { scenarios as digests } from './scenarios/digests.ts';
import { scenarios as topics } from './scenarios/topics.ts';
import { scenarios as waiting } from './scenarios/waiting.ts';

checkScenarios([...waiting, ...digests, ...topics]);
