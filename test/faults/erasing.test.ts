import { checkScenarios } from './check.ts';
import { scenarios } from './scenarios/erasing.ts';

checkScenarios(scenarios);
