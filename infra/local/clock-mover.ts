import { dueItems } from '../../shared/database/entities/due-items.ts';
import { resolve } from '../../shared/deps/dependency.ts';
import type { LocalClock } from './local-clock.ts';

/** What moving the clock needs: what waits on queues, and a way to have everything done that is due now. */
export type MovedParts = {
  clock: LocalClock;
  settle: () => Promise<void>;
  nextVisibleAtMs: () => number | undefined;
};

/** Moves a clock forward from one due moment to the next. Calls wait for each other. */
export function createClockMover(parts: MovedParts): (ms: number) => Promise<boolean> {
  let moving: Promise<unknown> = Promise.resolve();
  return (ms) => {
    const moved = moving.then(() => move(parts, ms));
    moving = moved.catch(() => {});
    return moved;
  };
}

async function move({ clock, settle, nextVisibleAtMs }: MovedParts, targetMs: number): Promise<boolean> {
  if (targetMs < clock.now()) return false;
  clock.stop();
  try {
    for (;;) {
      await settle();
      const nowMs = clock.now();
      if (nowMs >= targetMs) return true;
      const times = [nextVisibleAtMs(), await resolve(dueItems).nextDueAtMs(nowMs)];
      clock.moveTo(Math.min(targetMs, ...times.filter((ms): ms is number => ms !== undefined && ms > nowMs)));
    }
  } finally {
    clock.start();
  }
}
