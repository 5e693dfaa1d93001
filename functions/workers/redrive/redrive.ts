import * as v from 'valibot';
import { dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { findReadable } from '../../../shared/database/items/stored.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { chunksOf } from '../../../shared/runtime/async/chunks.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { acceptedDependencies, INBOUND_FEEDS, listAccepted, PAGE_MAX } from './accepted.ts';
import { findLostMessages, type LostMessage, lostDependencies } from './lost.ts';
import { Place, type Redriven } from './responses.ts';

const PARALLEL = 25;

const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
);
const Request = v.pipe(
  v.object({
    /** Accepted, or made ready by a schedule or a digest, from then … */
    from: Time,
    /** … and before this. */
    to: Time,
    isDryRun: v.optional(v.boolean(), false),
    /** Maximum number of notifications to check in this invocation. */
    countMax: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAGE_MAX)), PAGE_MAX),
    /** `next` of the previous page. */
    start: v.optional(Place),
  }),
  v.check(({ from, to }) => from < to),
);

const DEPENDENCIES = { dueItems, queues, ...acceptedDependencies, ...lostDependencies };
type Deps = Resolved<typeof DEPENDENCIES>;

/**
 * Requeues notifications that were accepted, or became ready, in a time range and have no outcome, a page per invocation:
 * notifications whose stream record or message was lost, webhook calls and replies without a trace. Safe to run twice and while
 * the service runs: a message is identical to `dispatch`'s message, so the queue drops duplicates and never delivers two of the
 * same channel concurrently, and the second finds the outcome (ADR 3).
 */
export const handler = eventWorker(
  { name: 'redrive', failed: 'a page was not redriven' },
  DEPENDENCIES,
  async (event: unknown, { clock, ...deps }): Promise<Redriven> => {
    const request = v.safeParse(Request, event);
    if (!request.success) throw new Error('redrive needs {from, to}, ISO 8601 times with from before to');
    const { from, to, isDryRun, countMax, start } = request.output;
    const page = await listPage(deps, { fromMs: from, toMs: to, countMax }, start);
    const lost = await findLost(deps, page.trackingIds, clock.now());
    const byQueue = Map.groupBy(lost, ({ queue }) => queue);
    if (!isDryRun) await sendAll(deps, byQueue);
    return {
      examined: page.trackingIds.length,
      messages: Object.fromEntries([...byQueue].map(([queue, list]) => [queue, list.length])),
      trackingIds: [...new Set(lost.map(({ trackingId }) => trackingId))],
      ...defined({ next: page.next || undefined }),
    };
  },
);

async function listPage(
  deps: Deps,
  range: { fromMs: number; toMs: number; countMax: number },
  start: Place | undefined,
): Promise<{ trackingIds: string[]; next?: Place }> {
  if (start && 'shard' in start) return deps.dueItems.listMadeReady(range, start, range.countMax);
  const page = await listAccepted(deps, { ...range, feeds: INBOUND_FEEDS }, start);
  const limit = range.countMax - page.trackingIds.length;
  if (page.next) return page;
  if (limit === 0) return { ...page, next: { shard: 0 } };
  const ready = await deps.dueItems.listMadeReady(range, { shard: 0 }, limit);
  return { ...ready, trackingIds: [...new Set([...page.trackingIds, ...ready.trackingIds])] };
}

/** Notifications of one digest lead to the same message: it counts once. */
async function findLost(deps: Deps, trackingIds: readonly string[], nowMs: number): Promise<LostMessage[]> {
  const found = new Map<string, LostMessage>();
  for (const part of chunksOf(trackingIds, PARALLEL)) {
    const lost = await Promise.all(
      part.map((trackingId) => findReadable(() => findLostMessages(deps, trackingId, nowMs))),
    );
    for (const each of lost.flatMap((messages) => messages ?? []))
      found.set(`${each.queue} ${each.message.body}`, each);
  }
  return [...found.values()];
}

async function sendAll(
  { queues }: Deps,
  byQueue: ReadonlyMap<string, readonly LostMessage[]>,
): Promise<void> {
  const refused = await Promise.all(
    [...byQueue].map(([queue, list]) =>
      queues.send(
        queue,
        list.map(({ message }) => message),
      ),
    ),
  );
  if (refused.flat().length > 0) throw new Error('a queue did not accept every message: run it again');
}
