import type { Scenario } from '../run.ts';
import { scenarios as asked } from './asked.ts';
import { scenarios as batches } from './batches.ts';
import { scenarios as channels, templated } from './channels.ts';
import { scenarios as comingIn } from './coming-in.ts';
import { scenarios as digests } from './digests.ts';
import { scenarios as erasing } from './erasing.ts';
import { scenarios as limits } from './limits.ts';
import { scenarios as lostOutcomes } from './lost-outcomes.ts';
import { scenarios as sending } from './sending.ts';
import { scenarios as timeLeft } from './time-left.ts';
import { scenarios as topics } from './topics.ts';
import { scenarios as unrecorded } from './unrecorded.ts';
import { scenarios as waiting } from './waiting.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...channels,
  ...templated,
  ...sending,
  ...limits,
  ...topics,
  ...waiting,
  ...asked,
  ...digests,
  ...comingIn,
  ...erasing,
  ...batches,
  ...lostOutcomes,
  ...timeLeft,
  ...unrecorded,
];
