import { checkScenarios } from './check.ts';
import { scenarios as comingIn } from './scenarios/coming-in.ts';
import { scenarios as erasing } from './scenarios/erasing.ts';

checkScenarios([...comingIn, ...erasing]);
