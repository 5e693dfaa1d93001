import { type Dependency, dependency } from '../runtime/dependency.ts';
import type { Queues } from './queues-port.ts';

/** The deployment's queues. */
export const queues: Dependency<Queues> = dependency('queues', () => {
  const loaded = import('./sqs.ts').then((sqs) => sqs.createSqsQueues());
  return {
    send: async (queue, messages) => (await loaded).send(queue, messages),
    changeVisibility: async (queue, handle, seconds) =>
      (await loaded).changeVisibility(queue, handle, seconds),
  };
});
