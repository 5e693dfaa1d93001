import { byDueTime, dueItems, minuteOf } from '../../../shared/database/entities/due-items.ts';
import { scheduledWorker } from '../../../shared/http/event-worker.ts';
import { AHEAD_MS, dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';

const MINUTE_MS = 60_000;

/**
 * Each minute: puts work that is due until the minute after next on the due queue, delayed to its second.
 * Starts where the last complete sweep ended, so a missed tick is caught up. Sending an item twice is
 * harmless, because a conditional update makes its record ready.
 */
export const handler = scheduledWorker(
  { name: 'sweep', failed: 'the due items were not swept' },
  { dueItems, queues },
  async ({ dueItems, queues, clock }) => {
    const nowMs = clock.now();
    let found = 0;
    let refusedFromMs = Number.POSITIVE_INFINITY;
    for await (const page of dueItems.pagesBetween(await dueItems.sweepFrom(nowMs), nowMs + AHEAD_MS)) {
      const items = page.toSorted(byDueTime);
      const refused = await queues.send(
        DUE_QUEUE,
        items.map((item) => dueMessage(item.pk, item.dueAtMs, nowMs)),
      );
      for (const index of refused) {
        refusedFromMs = Math.min(refusedFromMs, items[index]?.dueAtMs ?? refusedFromMs);
      }
      found += page.length;
    }
    await dueItems.sweptUntil(Math.min(minuteOf(nowMs) - MINUTE_MS, minuteOf(refusedFromMs)));
    if (Number.isFinite(refusedFromMs)) throw new Error('the due queue did not accept every message');
    return { found };
  },
);
