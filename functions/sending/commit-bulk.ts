import { chunksOf } from '../../shared/runtime/chunks.ts';
import { newTrackingId } from '../../shared/runtime/ids.ts';
import { mapAtMost } from '../../shared/runtime/map-at-most.ts';
import type { AcceptRequest } from './accept-request.ts';
import { append, type CommitDependencies, contextOf, headOf, type Pending, withStored } from './commit.ts';
import { claimKeyFor, findKey } from './idempotency.ts';
import { acceptedOf, type Committed } from './waiting.ts';

/** An entry of a bulk request that is to be stored. */
export type PendingEntry = Pending & { incoming: AcceptRequest & { position: number } };

/** Runs `attempt` for the entries at `positions`; undefined if it threw, which becomes their result. */
export type Settle = <T>(positions: readonly number[], attempt: () => Promise<T>) => Promise<T | undefined>;

const WRITES_AT_ONCE = 16;
const BATCH_SIZE = 25;

/**
 * Stores the types and contact data of the entries, then the entries; returns the accepted notifications by
 * position. Entries of one user and type with deduplication or throttling are stored in order; new ones
 * without rules are stored in batches.
 */
export async function commitAll(
  deps: CommitDependencies,
  pending: readonly PendingEntry[],
  settle: Settle,
): Promise<Map<number, Committed>> {
  const committed = new Map<number, Committed>();
  const ready: PendingEntry[] = [];
  await inGroups(pending, byUser, async (entry) => {
    const { caller, position } = entry.incoming;
    const evaluation = await settle([position], async () => {
      await claimKeyFor(deps.idempotencyKeys, entry.incoming);
      return withStored(deps, caller, entry);
    });
    if (evaluation) ready.push({ ...entry, evaluation });
  });
  const batches = chunksOf(ready.filter(isPlain), BATCH_SIZE).map((batch) => async () => {
    const positions = batch.map(({ incoming }) => incoming.position);
    const stored = await settle(positions, () => storeBatch(deps, batch));
    for (const { position, accepted } of stored ?? []) committed.set(position, accepted);
  });
  await Promise.all([
    mapAtMost(WRITES_AT_ONCE, batches, (store) => store()),
    inGroups(
      ready.filter((entry) => !isPlain(entry)),
      byRules,
      async ({ incoming, ...entry }) => {
        const accepted = await settle([incoming.position], () => append(deps, incoming, entry));
        if (accepted) committed.set(incoming.position, accepted);
      },
    ),
  ]);
  return committed;
}

/** True if the write can fail only because the tracking ID exists, and the ID is new. */
function isPlain({ incoming, evaluation }: PendingEntry): boolean {
  return !findKey(incoming) && !evaluation.rules && evaluation.dueAtMs === undefined;
}

type Stored = { position: number; accepted: Committed };

/** Returns the entries that were stored: the table may throttle some of a batch. */
async function storeBatch(
  { logs, sendingRules }: CommitDependencies,
  batch: readonly PendingEntry[],
): Promise<Stored[]> {
  const heads = await Promise.all(
    batch.map(async (entry) => {
      const { incoming, known } = entry;
      const head = headOf(incoming, entry, {
        trackingId: newTrackingId(incoming.facts.receivedAtMs, incoming.position),
      });
      const { feedShards } = known.context.account;
      const { expiresAtSeconds } = head;
      const item = await logs.headItem(head, { feedShards, expiresAtSeconds });
      const accepted = acceptedOf(head, contextOf(entry));
      return { item, stored: { position: incoming.position, accepted } };
    }),
  );
  const throttled = await sendingRules.commitNew(heads.map(({ item }) => item));
  return heads.filter(({ item }) => !throttled.includes(item)).map(({ stored }) => stored);
}

const byUser = ({ intake }: PendingEntry) => intake.userId;

function byRules({ incoming, intake, evaluation }: PendingEntry): string {
  return evaluation.rules
    ? JSON.stringify([intake.userId, intake.notificationId])
    : String(incoming.position);
}

/** Runs `task` for every entry: entries of one group in sequence, groups in parallel. */
async function inGroups(
  entries: readonly PendingEntry[],
  nameOf: (entry: PendingEntry) => string,
  task: (entry: PendingEntry) => Promise<void>,
): Promise<void> {
  const groups = [...Map.groupBy(entries, nameOf).values()];
  await mapAtMost(WRITES_AT_ONCE, groups, async (group) => {
    for (const entry of group) await task(entry);
  });
}
