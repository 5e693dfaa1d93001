import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { dueItems } from '../../shared/database/entities/sending/due-items.ts';
import { userTraces } from '../../shared/database/entities/users/user-traces.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { inChunks } from '../../shared/runtime/async/chunks.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { type Entry, entryDependencies, readEntry } from '../waiting/entries.ts';
import { listWaitingRoute } from './routes.ts';

const PARALLEL = 25;

export const handler = endpoint(
  listWaitingRoute,
  { ...entryDependencies, accounts, userTraces, dueItems },
  async ({ caller, path, request, ...deps }) => {
    const user = { environmentId: caller.environmentId, userId: path.userId };
    const nowMs = request.receivedAtMs;
    const { feedShards } = await deps.accounts.get(caller.accountId);
    const [traced, due] = await Promise.all([
      deps.userTraces.list(user),
      deps.dueItems.listOfUser(user, { fromMs: nowMs, feedShards }),
    ]);
    const read = await inChunks([...new Set([...traced, ...due])], PARALLEL, (pk) =>
      readEntry(deps, pk, nowMs),
    );
    const entries = read
      .filter((entry) => entry?.userId === path.userId)
      .toSorted((left, right) => Number(left?.untilMs) - Number(right?.untilMs)) as Entry[];
    const others = entries.flatMap(partsOf).toSorted((left, right) => left.untilMs - right.untilMs);
    return {
      scheduled: entries.flatMap(scheduledOf),
      digests: entries.flatMap(digestsOf),
      held: others.flatMap(({ trackingId, type, channel, reason, untilMs }) =>
        reason === 'QUIET_HOURS' || reason === 'PAUSED'
          ? [{ trackingId, type, channel, reason, heldUntil: isoOf(untilMs) }]
          : [],
      ),
      steps: others.flatMap(({ trackingId, type, channel, when = 'always', reason, untilMs }) =>
        reason === 'STEP' ? [{ trackingId, type, channel, when, dueAt: isoOf(untilMs) }] : [],
      ),
    };
  },
);

function scheduledOf({ kind, trackingIds, type, untilMs }: Entry) {
  if (kind !== 'scheduled') return [];
  return trackingIds.map((trackingId) => ({ trackingId, type, scheduledFor: isoOf(untilMs) }));
}

function digestsOf({ type, trackingIds, untilMs, channels, ...entry }: Entry) {
  if (entry.kind !== 'digest') return [];
  return channels.map(({ channel }) => {
    return { type, channel, delivery: entry.bucket.mode, sendAt: isoOf(untilMs), trackingIds };
  });
}

/** The channels of a notification that wait, one by one. */
function partsOf({ kind, trackingIds, type, channels }: Entry) {
  if (kind === 'scheduled' || kind === 'digest') return [];
  return trackingIds.flatMap((trackingId) => channels.map((each) => ({ ...each, trackingId, type })));
}
