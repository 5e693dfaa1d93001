import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Turns at least `everyMs` apart, the first at once: whoever calls waits for its own. Of one process; a lease keeps it
 * the only one.
 */
export function createTurns(
  everyMs: number,
  monotonicMs: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = monotonicMs();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + everyMs;
    if (turnMs > nowMs) await wait(turnMs - nowMs);
  };
}
