import { checkParts, checkScenarios } from './check.ts';
import { scenarios, templated } from './scenarios/channels.ts';

checkScenarios(scenarios);
checkParts(templated);
