import { checkParts, checkScenarios } from './check.ts';
import { scenarios as channels, templated } from './scenarios/channels.ts';
import { scenarios as limits } from './scenarios/limits.ts';
import { scenarios as sending } from './scenarios/sending.ts';

checkScenarios([...channels, ...sending, ...limits]);
checkParts([...templated, ...sending.filter(({ name }) => name === 'an open socket')]);
