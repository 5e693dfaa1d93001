import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { type QueueOutcome, queueWorker } from '../../../../shared/http/workers/queue-worker.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import { RECEIVES_MAX } from '../../../../shared/messaging/receives.ts';
import { clock, replace } from '../../../../shared/runtime/dependency.ts';
import { sqsEvent } from '../../../support/workers.ts';

let nowMs = 1_790_000_000_000;
let outcome: QueueOutcome = 'done';
let sent: QueueMessage[];
let waited: number[];
let seen: { attempt: number; sentAtMs: number }[];
beforeEach(() => {
  [sent, waited, seen] = [[], [], []];
  replace(clock, () => ({ now: () => nowMs }));
  replace(queues, () => ({
    send: async (_, messages) => {
      sent.push(...messages);
      return [];
    },
    changeVisibility: async (_, __, seconds) => void waited.push(seconds),
    countWaiting: async () => 0,
  }));
});

const workerOf = (isDelayable: boolean) =>
  queueWorker(
    {
      name: 'q',
      body: v.object({ name: v.string() }),
      failed: 'failed',
      ...(isDelayable ? { waitsOn: 'q' } : {}),
    },
    {},
    async ({ attempt, sentAtMs }) => {
      seen.push({ attempt, sentAtMs });
      return outcome;
    },
  );

describe('a message that waits for more than a minute', () => {
  const message = { body: { name: 'ada' }, attempt: 3 };

  it.each([
    [true, 61, 61],
    [true, 900, 900],
    [true, 20_000, 900],
    [true, 60, undefined],
    [false, 20_000, undefined],
  ])(
    'is no longer in flight if its queue allows it (%s): after %i s',
    async (isDelayable, seconds, delay) => {
      outcome = { againSeconds: seconds };
      const { batchItemFailures } = await workerOf(isDelayable)(sqsEvent(message));
      expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual(delay === undefined ? [] : [delay]);
      expect([waited, batchItemFailures.length]).toEqual(delay === undefined ? [[seconds], 1] : [[], 0]);
    },
  );

  it('waits on until its time without its worker, which then sees all its receives and its first time', async () => {
    outcome = { againSeconds: 2000 };
    const worker = workerOf(true);
    await worker(sqsEvent(message));
    const startMs = nowMs;
    for (const delay of [900, 200]) {
      nowMs += 900_000;
      const [copy] = sent.splice(0);
      expect((await worker(sqsEvent({ body: copy?.body, sentAtMs: nowMs }))).batchItemFailures).toEqual([]);
      expect(sent[0]?.delaySeconds).toBe(delay);
    }
    expect(seen).toHaveLength(1);
    nowMs += 200_000;
    await worker(sqsEvent({ body: sent[0]?.body, sentAtMs: nowMs }));
    expect(seen[1]).toEqual({ attempt: 6, sentAtMs: startMs });
  });

  it('stays in flight, and becomes a dead letter, once it was received as often as a message may be', async () => {
    outcome = { againSeconds: 500 };
    await workerOf(true)(sqsEvent({ ...message, attempt: RECEIVES_MAX }));
    expect([sent, waited]).toEqual([[], [500]]);
  });
});
