import { type DueItem, dueItems, minuteOf } from '../../../shared/database/entities/due-items.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys.ts';
import { scheduledWorker } from '../../../shared/http/event-worker.ts';
import { AHEAD_MS, dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';

const MINUTE_MS = 60_000;

/**
 * Each minute: puts what is due until the minute after next on the due queue, delayed to its second. Starts where the
 * last complete sweep ended, so a missed tick is caught up. Sending an item twice is harmless, since its record is made
 * ready by a conditional update.
 */
export const handler = scheduledWorker(
  { name: 'sweep', failed: 'the due items were not swept' },
  { dueItems, queues },
  async ({ dueItems, queues, clock }) => {
    const nowMs = clock.now();
    let found = 0;
    for await (const page of dueItems.pagesBetween(await dueItems.sweepFrom(nowMs), nowMs + AHEAD_MS)) {
      const refused = await queues.send(
        DUE_QUEUE,
        page.toSorted(byTime).map((item) => dueMessage(item.pk, item.dueAtMs, nowMs)),
      );
      if (refused.length > 0) throw new Error('the due queue did not accept every message');
      found += page.length;
    }
    await dueItems.sweptUntil(minuteOf(nowMs) - MINUTE_MS);
    return { found };
  },
);

/** At the same moment a notification precedes the digest that may collect it. */
function byTime(left: DueItem, right: DueItem): number {
  return left.dueAtMs - right.dueAtMs || Number(isDigest(left)) - Number(isDigest(right));
}

const isDigest = ({ pk }: DueItem) => pk.startsWith(DIGEST_PREFIX);
