import { checkScenarios } from './check.ts';
import { scenarios } from './scenarios/waiting.ts';

checkScenarios(scenarios);
