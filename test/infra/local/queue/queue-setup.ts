import { afterEach } from 'vitest';
import type { LocalQueues, QueueOptions } from '../../../../infra/local/queue/local-queues.ts';
import { openLocalQueues } from '../../../../infra/local/queue/queue.ts';

export const START_MS = Date.parse('2026-03-01T00:00:00Z');
const opened: LocalQueues[] = [];

export function openQueues(overrides: Partial<QueueOptions> = {}) {
  const time = { nowMs: START_MS };
  const queues = openLocalQueues({ file: ':memory:', now: () => time.nowMs });
  opened.push(queues);
  queues.createQueue({ name: 'dead', visibilityTimeoutSeconds: 30, receiveCountMax: 1 });
  queues.createQueue({
    name: 'work',
    visibilityTimeoutSeconds: 30,
    receiveCountMax: 3,
    deadLetterQueue: 'dead',
    ...overrides,
  });
  const bodies = (countMax = 10) => queues.receive('work', countMax).map((message) => message.body);
  const advance = (seconds: number) => {
    time.nowMs += seconds * 1000;
  };
  return { queues, bodies, advance };
}

export const fifoMessage = (body: string, groupId: string) => ({ body, groupId });

/** Starts this set-up for the tests of a file. */
export function useQueues(): void {
  afterEach(() => {
    for (const queues of opened.splice(0)) queues.close();
  });
}
