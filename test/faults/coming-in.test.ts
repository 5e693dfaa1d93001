import { checkScenarios } from './check.ts';
import { scenarios as batches } from './scenarios/batches.ts';
import { scenarios as comingIn } from './scenarios/coming-in.ts';
import { scenarios as erasing } from './scenarios/erasing.ts';
import { scenarios as lostOutcomes } from './scenarios/lost-outcomes.ts';
import { scenarios as timeLeft } from './scenarios/time-left.ts';
import { scenarios as unrecorded } from './scenarios/unrecorded.ts';

checkScenarios([...comingIn, ...erasing, ...batches, ...lostOutcomes, ...timeLeft, ...unrecorded]);
