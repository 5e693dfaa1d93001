import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { type DueItems, dueItems } from '../../shared/database/entities/sending/due-items.ts';
import { familyOfPk, LOG_PK_PREFIX, part, trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { DIGEST_PREFIX, RETRY_PREFIX } from '../../shared/database/keys/log.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { readCursor, writeCursor } from '../../shared/http/lists/cursor.ts';
import { inChunks } from '../../shared/runtime/async/chunks.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/fields/list.ts';
import { type Entry, entryDependencies, readEntry, waitingIdOf } from './entries.ts';
import { listAllWaitingRoute } from './routes.ts';

/** Entries of the index that a request reads, of all environments. */
const READ_MAX = 512;
const PARALLEL = 25;
const DEPENDENCIES = { ...entryDependencies, dueItems, signer };
type Deps = Resolved<typeof DEPENDENCIES>;
type Items = Awaited<ReturnType<DueItems['listWaiting']>>['items'];

export const handler = endpoint(
  listAllWaitingRoute,
  DEPENDENCIES,
  async ({ caller, query, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const scope = { signer: deps.signer, binding: ['listAllWaiting', accountId, environmentId] };
    const position = query.cursor === undefined ? undefined : String(await readCursor(scope, query.cursor));
    const nowMs = request.receivedAtMs;
    const page = await deps.dueItems.listWaiting({ nowMs, limit: READ_MAX, position });
    const own = await ownItems(deps, page.items, caller, nowMs);
    const { entries, last } = await readEntries(deps, own, {
      caller,
      nowMs,
      limit: query.limit ?? LIMIT_DEFAULT,
    });
    const next = last ?? page.next;
    const nextCursor = next === undefined ? undefined : await writeCursor(scope, next);
    return { waiting: entries.map(shown), ...defined({ nextCursor }) };
  },
);

async function ownItems(
  { logs }: Deps,
  items: Items,
  { environmentId }: Caller,
  nowMs: number,
): Promise<Items> {
  const trackingIds = items.flatMap(({ pk }) => (pk.startsWith(LOG_PK_PREFIX) ? [trackingIdOfPk(pk)] : []));
  const heads = await logs.findHeadItems([...new Set(trackingIds)], nowMs);
  const own = new Set(heads.flatMap((head) => (head?.e === environmentId ? [String(head.pk)] : [])));
  return items.filter(({ pk }) => {
    if (pk.startsWith(RETRY_PREFIX) || own.has(pk)) return true;
    // A long name is a hash.
    const owner = familyOfPk(pk).owner ?? '';
    return pk.startsWith(DIGEST_PREFIX) && (owner === part(environmentId) || owner.startsWith('~'));
  });
}

/** Reads entries until the page is full; then `last` is the position after which the next one continues. */
async function readEntries(
  deps: Deps,
  items: Items,
  { caller, nowMs, limit }: { caller: Caller; nowMs: number; limit: number },
): Promise<{ entries: Entry[]; last?: string }> {
  const entries = new Map<string, Entry>();
  for (let start = 0; start < items.length; start += PARALLEL) {
    const chunk = items.slice(start, start + PARALLEL);
    const read = await inChunks(chunk, PARALLEL, ({ pk }) => readEntry(deps, pk, nowMs));
    for (const [index, item] of chunk.entries()) {
      const entry = read[index];
      // A started step, and what was moved, leave their earlier times in the index.
      if (entry?.untilMs !== item.dueAtMs || entry.environmentId !== caller.environmentId) continue;
      const last = items[start + index - 1]?.dueSk;
      if (entries.size === limit && last) return { entries: [...entries.values()], last };
      entries.set(entry.pk, entry);
    }
  }
  return { entries: [...entries.values()] };
}

function shown({ pk, trackingIds, type, userId, topicId, untilMs, channels, ...entry }: Entry) {
  return {
    waitingId: waitingIdOf(pk),
    trackingIds,
    type,
    until: isoOf(untilMs),
    ...defined({
      userId: topicId === undefined ? userId : undefined,
      topic: topicId,
      delivery: entry.kind === 'digest' ? entry.bucket.mode : undefined,
    }),
    channels: channels.map(({ untilMs: eachMs, when, ...channel }) => ({
      ...channel,
      until: isoOf(eachMs),
      ...defined({ when }),
    })),
  };
}
