import { expect, it } from 'vitest';
import { paced } from '../../../../shared/providers/order/paced.ts';
import type { createTurns } from '../../../../shared/runtime/async/turns.ts';

const provider = { name: 'scripted', deliver: async () => ({ kind: 'sent', fields: {} }) as const };

/** Turns that are counted instead of waited for; the next one is `waitMs` away. */
function countedTurns(waitMs = 0) {
  const seen = { everyMs: 0, taken: 0 };
  const turns: typeof createTurns = (everyMs) => {
    seen.everyMs = everyMs;
    return async (waitMsMax = Number.POSITIVE_INFINITY) => {
      if (waitMs > waitMsMax) return waitMs;
      seen.taken += 1;
      return undefined;
    };
  };
  return { seen, turns };
}

it.each([
  ['has the whole rate when it is alone', undefined, 14, 1000 / 14],
  ['shares the rate among instances', '7', 14, 500],
  ['keeps a rate far below one per second', '2', 0.05, 40_000],
])('a paced provider %s', async (_, concurrency, perSecond, everyMs) => {
  if (concurrency) process.env.QUEUE_CONCURRENCY = concurrency;
  const { seen, turns } = countedTurns();
  const slow = paced<'EMAIL'>(provider, perSecond, { turns });
  for (let count = 0; count < 2; count += 1) expect(await slow.awaitTurn?.(30_000)).toBeUndefined();
  expect(seen).toEqual({ everyMs, taken: 2 });
});

it.each([
  ['waits for a turn that leaves a delivery its time', 30_000, undefined],
  ['comes back later when the turn would leave too little time', 29_999, { againSeconds: 10 }],
  ['comes back later when hardly any time is left', 0, { againSeconds: 10 }],
])('a message %s', async (_, timeLeftMs, expected) => {
  const { turns } = countedTurns(10_000);
  expect(await paced<'EMAIL'>(provider, 1, { turns, deliveryMs: 20_000 }).awaitTurn?.(timeLeftMs)).toEqual(
    expected,
  );
});
