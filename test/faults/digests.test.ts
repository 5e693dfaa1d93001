import { checkScenarios } from './check.ts';
import { scenarios } from './scenarios/digests.ts';

checkScenarios(scenarios);
