import { checkScenarios } from './check.ts';
import { scenarios as batches } from './scenarios/batches.ts';
import { scenarios as lostOutcomes } from './scenarios/lost-outcomes.ts';
import { scenarios as timeLeft } from './scenarios/time-left.ts';
import { scenarios as unrecorded } from './scenarios/unrecorded.ts';

checkScenarios([...batches, ...lostOutcomes, ...timeLeft, ...unrecorded]);
