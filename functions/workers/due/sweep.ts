import { dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { scheduledWorker } from '../../../shared/http/workers/event-worker.ts';
import { AHEAD_MS, dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';

/** Longer than a round takes: the next sweep continues where this sweep stopped. */
const ROUND_MS = 10_000;

/**
 * Each minute: puts work that is due until the minute after next on the due queue, delayed to its second. Goes on where the
 * last sweep stopped, so a missed tick, or more than one tick can enqueue, is caught up. Sending an item twice is
 * harmless, because a conditional update makes its record ready.
 */
export const handler = scheduledWorker(
  { name: 'sweep', failed: 'the due items were not swept' },
  { dueItems, queues },
  async ({ dueItems, queues, clock, timeLeftMs }) => {
    const nowMs = clock.now();
    const { found, refused, isComplete } = await dueItems.sweep(
      { nowMs, untilMs: nowMs + AHEAD_MS, mayGoOn: () => timeLeftMs() > ROUND_MS },
      (items) =>
        queues.send(
          DUE_QUEUE,
          items.map((item) => dueMessage(item.pk, item.dueAtMs, nowMs)),
        ),
    );
    if (refused > 0) throw new Error('the due queue did not accept every message');
    return { found, ...(isComplete ? {} : { isComplete }) };
  },
);
