import type { Worker } from '../../../shared/http/worker.ts';

/** The queue that a worker reads here: its own, or, for events of a topic, the one that Lambda has for the function. */
export function localQueueOf({ name, trigger }: Worker): string | undefined {
  if (trigger.kind === 'topic') return name;
  return trigger.kind === 'queue' || trigger.kind === 'events' ? trigger.queue : undefined;
}
