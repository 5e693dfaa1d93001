import { type Dependency, dependency } from '../runtime/dependency.ts';
import { lazily } from '../runtime/lazily.ts';
import type { Queues } from './queues-port.ts';

/** The deployment's queues. */
export const queues: Dependency<Queues> = dependency('queues', () =>
  lazily(async () => (await import('./sqs.ts')).createSqsQueues(), {
    send: true,
    changeVisibility: true,
    countWaiting: true,
  }),
);
