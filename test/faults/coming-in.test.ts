import { checkScenarios } from './check.ts';
import { scenarios } from './scenarios/coming-in.ts';

checkScenarios(scenarios);
