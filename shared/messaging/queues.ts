import { lazily } from '../runtime/async/lazily.ts';
import { type Dependency, dependency } from '../runtime/dependency.ts';
import type { Queues } from './queues-port.ts';

export const queues: Dependency<Queues> = dependency('queues', () =>
  lazily(async () => (await import('./sqs.ts')).createSqsQueues(), {
    send: true,
    changeVisibility: true,
    countWaiting: true,
  }),
);
