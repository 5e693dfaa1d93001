import { byDueTime, dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { isClockTime, type LocalClock } from './local-clock.ts';

/** Dependencies of moving the clock: the waiting queues, and a way to run all due work. */
export type MovedParts = {
  clock: LocalClock;
  settle: () => Promise<void>;
  nextVisibleAtMs: () => number | undefined;
};

/** Moves to a time derived from the clock's; false if that is earlier, or not one that the clock can show. */
export type MoveClock = (targetOf: (nowMs: number) => number) => Promise<boolean>;

/** Moves a clock forward from one due time to the next. Calls wait for each other. */
export function createClockMover(parts: MovedParts): MoveClock {
  let moving: Promise<unknown> = Promise.resolve();
  return (targetOf) => {
    const moved = moving.then(() => move(parts, targetOf(parts.clock.now())));
    moving = moved.catch(() => {});
    return moved;
  };
}

type Waiting = Pick<MovedParts, 'clock' | 'nextVisibleAtMs'>;

/**
 * Returns the next due time: of the first item of the table that a person waits for, then of anything. A queue holds some messages
 * for a second, and moving by a second would look like standing still.
 */
export async function nextStopAtMs(parts: Waiting): Promise<number | undefined> {
  const nowMs = parts.clock.now();
  const dueAtMs = await resolve(dueItems).nextDueAtMs(nowMs, { isAwaited: true });
  return dueAtMs !== undefined && dueAtMs > nowMs ? dueAtMs : nextDueAtMs(parts);
}

/** Returns when the next thing after the clock's time is due. */
async function nextDueAtMs({ clock, nextVisibleAtMs }: Waiting): Promise<number | undefined> {
  const nowMs = clock.now();
  const times = [nextVisibleAtMs(), await resolve(dueItems).nextDueAtMs(nowMs)];
  const later = times.filter((ms): ms is number => ms !== undefined && ms > nowMs);
  return later.length === 0 ? undefined : Math.min(...later);
}

async function move(parts: MovedParts, targetMs: number): Promise<boolean> {
  const { clock, settle } = parts;
  if (targetMs < clock.now() || !isClockTime(targetMs)) return false;
  clock.stop();
  try {
    for (let fromMs = 0; ; ) {
      await enqueueDue(fromMs, clock.now());
      await settle();
      if (clock.now() >= targetMs) return true;
      // What was started keeps its time in the index: read from the start at every stop, it would be enqueued again at each.
      fromMs = clock.now();
      clock.moveTo(Math.min(targetMs, (await nextDueAtMs(parts)) ?? targetMs));
    }
  } finally {
    clock.start();
  }
}

/**
 * Enqueues what is due from then to now, at its very time: the sweep enqueues two minutes of work ahead, in whole seconds. It runs
 * once a minute, because each message of a sweep per stop would be a further stop.
 */
async function enqueueDue(fromMs: number, nowMs: number): Promise<void> {
  const items = resolve(dueItems);
  for await (const page of items.pagesBetween(fromMs, nowMs)) {
    await resolve(queues).send(
      DUE_QUEUE,
      page.toSorted(byDueTime).map(({ pk, dueAtMs }) => dueMessage(pk, dueAtMs, nowMs)),
    );
  }
}
