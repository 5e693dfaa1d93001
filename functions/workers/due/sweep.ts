import { type DueItem, dueItems, minuteOf } from '../../../shared/database/entities/due-items.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys.ts';
import { AHEAD_MS, dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';

const MINUTE_MS = 60_000;

/**
 * Each minute: puts what is due until the minute after next on the due queue, delayed to its second. Starts where the
 * last complete sweep ended, so a missed tick is caught up; sending an item twice is harmless, since its record is made
 * ready by a conditional update.
 */
export async function handler(): Promise<{ found: number }> {
  const items = resolve(dueItems);
  const nowMs = resolve(clock).now();
  let found = 0;
  for await (const page of items.pagesBetween(await items.sweepFrom(nowMs), nowMs + AHEAD_MS)) {
    const refused = await resolve(queues).send(
      DUE_QUEUE,
      page.toSorted(byTime).map((item) => dueMessage(item.pk, item.dueAtMs, nowMs)),
    );
    if (refused.length > 0) throw new Error('the due queue did not take every message');
    found += page.length;
  }
  await items.sweptUntil(minuteOf(nowMs) - MINUTE_MS);
  return { found };
}

/** Of one moment a notification comes before the digest that may collect it. */
function byTime(left: DueItem, right: DueItem): number {
  return left.dueAtMs - right.dueAtMs || Number(isDigest(left)) - Number(isDigest(right));
}

const isDigest = ({ pk }: DueItem) => pk.startsWith(DIGEST_PREFIX);
