import { afterEach, expect, it } from 'vitest';
import { paced } from '../../../shared/providers/paced.ts';
import type { createTurns } from '../../../shared/runtime/turns.ts';
import { emailDelivery } from '../channels/email/deliveries.ts';

afterEach(() => {
  delete process.env.QUEUE_CONCURRENCY;
});

const provider = { name: 'scripted', deliver: async () => ({ kind: 'sent', fields: {} }) as const };

/** Turns that are counted instead of waited for. */
function countedTurns() {
  const seen = { everyMs: 0, taken: 0 };
  const turns: typeof createTurns = (everyMs) => {
    seen.everyMs = everyMs;
    return async () => {
      seen.taken += 1;
    };
  };
  return { seen, turns };
}

it.each([
  ['alone it has the whole rate', undefined, 14, 1000 / 14],
  ['instances share the rate', '7', 14, 500],
  ['no turn outlasts the batch', '20', 1, 1000],
])('a paced provider: %s', async (_, concurrency, perSecond, everyMs) => {
  if (concurrency) process.env.QUEUE_CONCURRENCY = concurrency;
  const { seen, turns } = countedTurns();
  const slow = paced<'EMAIL'>(provider, perSecond, { turns });
  await slow.deliver(emailDelivery());
  expect(await slow.deliver(emailDelivery())).toEqual({ kind: 'sent', fields: {} });
  expect(seen).toEqual({ everyMs, taken: 2 });
});
