import * as v from 'valibot';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { dayOf, type Usage, usageCounters } from '../../../shared/database/entities/usage/usage-counters.ts';
import { findReadable } from '../../../shared/database/items/stored.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { DAY_SECONDS } from '../../../shared/runtime/values/durations.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { countedSendsOf } from '../dispatch/stream-record.ts';
import { acceptedDependencies, listAccepted, PAGE_MAX } from './accepted.ts';
import { type Recounted, RecountPlace } from './responses.ts';

const DAY_MS = DAY_SECONDS * 1000;
/** Stream records expire after a day: what was not counted until then never will be. */
const COUNTED_AFTER_MS = DAY_MS;
/** A message that was sent on a day belongs to a notification accepted, or ready, at most this long before it. */
const LOOK_BACK_MS = 7 * DAY_MS;
const PARALLEL = 25;

const Request = v.object({
  /** Such as 2026-11-20, in UTC. */
  day: v.pipe(v.string(), v.isoDate()),
  isDryRun: v.optional(v.boolean(), false),
  /** `next` of the page before. */
  next: v.optional(RecountPlace),
});

const DEPENDENCIES = { dueItems, logs, usageCounters, ...acceptedDependencies };
type Deps = Resolved<typeof DEPENDENCIES>;

/**
 * Recounts the usage of a past day from the delivery logs, a page per invocation, and adds what the counters lack because
 * stream records were lost. Counts are never reduced: a log may have been erased since. Safe to repeat.
 */
export const handler = eventWorker(
  { name: 'recount-usage', failed: 'usage was not recounted' },
  DEPENDENCIES,
  async (event: unknown, { clock, ...deps }): Promise<Recounted> => {
    const request = v.safeParse(Request, event);
    if (!request.success) throw new Error('recount-usage needs {day}, such as 2026-11-20');
    const { day, isDryRun, next } = request.output;
    const dayMs = Date.parse(day);
    if (dayMs + DAY_MS + COUNTED_AFTER_MS > clock.now())
      throw new Error(
        'a day can be recounted when it ended 24 hours ago: until then it is still being counted',
      );
    const range = { fromMs: dayMs - LOOK_BACK_MS, toMs: dayMs + DAY_MS };
    const page = await listPage(deps, range, next?.place);
    const found = { ...next?.found };
    await inChunks(page.trackingIds, PARALLEL, async (trackingId) => {
      const log = await findReadable(() => deps.logs.find(trackingId, clock.now(), { isHidden: true }));
      // The feed has listed what was accepted within the range. The message of a digest is in no feed.
      const isListed = page.isReady && log && !log.head.digest && log.head.receivedAtMs >= range.fromMs;
      if (log && !isListed) addTo(found, log, day);
    });
    const examined = page.trackingIds.length;
    if (page.next) return { examined, next: { place: page.next, found } };
    return { examined, added: await addMissing(deps, found, { day, isDryRun }) };
  },
);

type Page = { trackingIds: string[]; isReady: boolean; next?: RecountPlace['place'] };

async function listPage(
  deps: Deps,
  range: { fromMs: number; toMs: number },
  place: RecountPlace['place'] | undefined,
): Promise<Page> {
  if (place && 'shard' in place)
    return { ...(await deps.dueItems.listMadeReady(range, place, PAGE_MAX)), isReady: true };
  const page = await listAccepted(deps, { ...range, countMax: PAGE_MAX }, place);
  return { next: { shard: 0 }, ...page, isReady: false };
}

function addTo(found: RecountPlace['found'], { items }: Log, day: string): void {
  for (const item of items) {
    for (const { accountId, channel, count, costUsd, atMs } of countedSendsOf(item, 'of the log')) {
      if (dayOf(atMs) !== day || channel === undefined) continue;
      const { counts, costUsd: before } = found[accountId] ?? { counts: {}, costUsd: 0 };
      const next = { ...counts, [channel]: (counts[channel] ?? 0) + count };
      found[accountId] = { counts: next, costUsd: before + costUsd };
    }
  }
}

async function addMissing(
  { usageCounters }: Deps,
  found: RecountPlace['found'],
  { day, isDryRun }: { day: string; isDryRun: boolean },
): Promise<({ accountId: string } & Usage)[]> {
  const added: ({ accountId: string } & Usage)[] = [];
  for (const [accountId, { counts, costUsd }] of Object.entries(found)) {
    const all = { counts: ofEveryChannel(counts), costUsd };
    const missing = await usageCounters.recount(accountId, day, all, { isDryRun });
    if (missing.costUsd > 0 || Object.values(missing.counts).some((count) => count > 0))
      added.push({ accountId, ...missing });
  }
  return added;
}

function ofEveryChannel(counts: Readonly<Record<string, number>>): Record<Channel, number> {
  const all = CHANNELS.map((channel) => [channel, counts[channel] ?? 0]);
  return Object.fromEntries(all);
}
