import type {
  NotificationTypes,
  StoredType,
} from '../../../shared/database/entities/content/notification-types.ts';
import { isPassingStatus } from '../../../shared/http-client/passing-status.ts';
import { chunksOf } from '../../../shared/runtime/async/chunks.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { AppError, ERRORS } from '../../../shared/runtime/errors.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { hasContact } from '../decide/evaluate.ts';
import { acceptedOf, type Committed } from '../waiting/waiting.ts';
import type { AcceptRequest } from './accept-request.ts';
import { append, type CommitDependencies, contextOf, headOf, type Pending, withStored } from './commit.ts';
import { claimKeyFor, findKey } from './idempotency.ts';
import type { Intake } from './intake.ts';

/** An entry of a bulk request that is to be stored. */
export type PendingEntry = Pending & { incoming: AcceptRequest & { position: number } };

/** Runs `attempt` for the entries at `positions`; undefined if it threw, which becomes their result. */
export type Settle = <T>(positions: readonly number[], attempt: () => Promise<T>) => Promise<T | undefined>;

const WRITES_AT_ONCE = 16;
const BATCH_SIZE = 25;

/**
 * Stores the types and contact data of the entries, then the entries; returns the accepted notifications by position. Entries of
 * the same user and type with deduplication or throttling are stored in order; new entries without rules are stored in batches.
 */
export async function commitAll(
  deps: CommitDependencies,
  pending: readonly PendingEntry[],
  settle: Settle,
): Promise<Map<number, Committed>> {
  const committed = new Map<number, Committed>();
  const ready: PendingEntry[] = [];
  const inOrder = failingInOrder();
  const stores = { ...deps, notificationTypes: creatingOnce(deps.notificationTypes) };
  await inGroups(pending, byUser, async (entry) => {
    const { caller, position } = entry.incoming;
    const evaluation = await settle([position], () =>
      inOrder(entry.intake, async () => {
        await claimKeyFor(deps.idempotencyKeys, entry.incoming);
        return withStored(stores, caller, entry);
      }),
    );
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

/**
 * Returns the function that runs a step of the entries in order. If contact data of an entry could not be stored, later entries
 * of the same user and type without contact data fail too, because that data could change their decision.
 */
export function failingInOrder(): <T>(intake: Intake, step: () => Promise<T>) => Promise<T> {
  const failures = new Map<string, unknown>();
  return async (intake, step) => {
    if (failures.has(intake.userId) && !hasContact(intake)) throw failures.get(intake.userId);
    try {
      return await step();
    } catch (error) {
      if (hasContact(intake) && isPassing(error)) failures.set(intake.userId, error);
      throw error;
    }
  };
}

/** True unless the request itself was refused. */
function isPassing(error: unknown): boolean {
  return !(error instanceof AppError) || isPassingStatus(ERRORS[error.code].status);
}

/** The notification types by whose first use each is created once, for all entries that use it. */
function creatingOnce(types: NotificationTypes): NotificationTypes {
  const created = new Map<string, Promise<StoredType>>();
  return {
    ...types,
    createIfMissing(environmentId, type) {
      const creation = created.get(type.notificationId) ?? types.createIfMissing(environmentId, type);
      created.set(type.notificationId, creation);
      return creation;
    },
  };
}

/** True if the write can fail only because the tracking ID exists, and the ID is new. */
function isPlain({ incoming, evaluation }: PendingEntry): boolean {
  return !findKey(incoming) && !evaluation.rules && evaluation.dueAtMs === undefined;
}

async function storeBatch(
  { logs, sendingRules }: CommitDependencies,
  batch: readonly PendingEntry[],
): Promise<{ position: number; accepted: Committed }[]> {
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
