import { checkScenarios } from './check.ts';
import { scenarios as channels } from './scenarios/channels.ts';
import { scenarios as sending } from './scenarios/sending.ts';

checkScenarios([...channels, ...sending]);
