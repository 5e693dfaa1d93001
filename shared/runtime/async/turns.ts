import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Turns at least `everyMs` apart within one process, the first immediately. A caller waits for its turn; if
 * that would take longer than `waitMsMax`, it gets no turn and the milliseconds until the next free one.
 */
export function createTurns(
  everyMs: number,
  monotonicMs: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): (waitMsMax?: number) => Promise<number | undefined> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (waitMsMax = Number.POSITIVE_INFINITY) => {
    const nowMs = monotonicMs();
    const turnMs = Math.max(nowMs, nextMs);
    if (turnMs - nowMs > waitMsMax) return turnMs - nowMs;
    nextMs = turnMs + everyMs;
    if (turnMs > nowMs) await wait(turnMs - nowMs);
    return undefined;
  };
}
