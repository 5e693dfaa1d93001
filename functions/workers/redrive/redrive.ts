import * as v from 'valibot';
import { queues } from '../../../shared/messaging/queues.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { listAccepted, PAGE_MAX, type Place } from './accepted.ts';
import { type LostMessage, lostMessagesOf } from './lost.ts';

const PARALLEL = 25;

const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
);
const Request = v.pipe(
  v.object({
    /** Accepted from then … */
    from: Time,
    /** … to before then. */
    to: Time,
    isDryRun: v.optional(v.boolean(), false),
    /** Notifications to look at in this invocation. */
    countMax: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAGE_MAX)), PAGE_MAX),
    /** `next` of the answer before. */
    start: v.optional(v.object({ accountId: v.string(), position: v.optional(v.string()) })),
  }),
  v.check(({ from, to }) => from < to),
);

/** What one page came to: how many notifications were looked at, and the messages put on each queue. */
export type Redriven = {
  examined: number;
  messages: Record<string, number>;
  trackingIds: string[];
  /** Where to go on; absent after the last page. */
  next?: Place;
};

/**
 * Takes accepted notifications of a time range without outcome on their way again, a page per invocation: those whose
 * stream record was lost, or whose message. Safe to run twice and beside the pipeline: a message is that of `dispatch`,
 * so the queue drops repeats, keeps two of one channel apart, and the second finds the outcome (ADR 3).
 */
export async function handler(event: unknown): Promise<Redriven> {
  const request = v.safeParse(Request, event);
  if (!request.success) throw new Error('redrive takes {from, to}, ISO 8601 times with from before to');
  const { from, to, isDryRun, countMax, start } = request.output;
  const page = await listAccepted({ fromMs: from, toMs: to, countMax }, start);
  const lost = await findLost(page.trackingIds, resolve(clock).now());
  const byQueue = Map.groupBy(lost, ({ queue }) => queue);
  if (!isDryRun) await sendAll(byQueue);
  return {
    examined: page.trackingIds.length,
    messages: Object.fromEntries([...byQueue].map(([queue, list]) => [queue, list.length])),
    trackingIds: [...new Set(lost.map(({ trackingId }) => trackingId))],
    ...(page.next ? { next: page.next } : {}),
  };
}

/** Notifications of one digest name the same message: it counts once. */
async function findLost(trackingIds: readonly string[], nowMs: number): Promise<LostMessage[]> {
  const found = new Map<string, LostMessage>();
  for (let start = 0; start < trackingIds.length; start += PARALLEL) {
    const part = trackingIds.slice(start, start + PARALLEL);
    const lost = await Promise.all(part.map((trackingId) => lostMessagesOf(trackingId, nowMs)));
    for (const each of lost.flat()) found.set(`${each.queue} ${each.message.body}`, each);
  }
  return [...found.values()];
}

async function sendAll(byQueue: ReadonlyMap<string, readonly LostMessage[]>): Promise<void> {
  const refused = await Promise.all(
    [...byQueue].map(([queue, list]) =>
      resolve(queues).send(
        queue,
        list.map(({ message }) => message),
      ),
    ),
  );
  if (refused.flat().length > 0) throw new Error('a queue did not take every message: run it again');
}
