import { checkParts, checkScenarios } from './check.ts';
import { scenarios } from './scenarios/sending.ts';

const IN_PARTS = [
  'an open socket',
  'a provider that is busy at first',
  'an account that is disabled before anything is delivered',
];

checkScenarios(scenarios);
checkParts(scenarios.filter(({ name }) => IN_PARTS.includes(name)));
