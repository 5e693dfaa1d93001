import { checkParts, checkScenarios } from './check.ts';
import { scenarios as channels, templated } from './scenarios/channels.ts';
import { scenarios as limits } from './scenarios/limits.ts';
import { scenarios as sending } from './scenarios/sending.ts';

const IN_PARTS = [
  'an open socket',
  'a provider that is busy at first',
  'an account that is disabled before anything is delivered',
];

checkScenarios([...channels, ...sending, ...limits]);
checkParts([...templated, ...sending.filter(({ name }) => IN_PARTS.includes(name))]);
