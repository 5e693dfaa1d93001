import { checkScenarios } from './check.ts';
import { scenarios } from './scenarios/asked.ts';

checkScenarios(scenarios);
