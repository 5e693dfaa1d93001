import type { Accounts } from '../../../shared/database/entities/accounts.ts';
import type { DueItems } from '../../../shared/database/entities/due-items.ts';
import type { Rechecks } from '../../../shared/database/entities/rechecks.ts';
import type { UserTraces } from '../../../shared/database/entities/user-traces.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys/log.ts';
import { inChunks } from '../../../shared/runtime/chunks.ts';
import { type FlushDependencies, flushBucket } from '../digest/flush.ts';
import { type AdvanceDependencies, advanceNotification } from './advance-notification.ts';

export type RecheckDependencies = AdvanceDependencies &
  FlushDependencies & { accounts: Accounts; dueItems: DueItems; rechecks: Rechecks; userTraces: UserTraces };

const AT_ONCE = 5;

/**
 * Evaluates again what quiet hours or a pause hold for a user whose settings have changed: what the new settings let
 * through is sent, the rest waits until their end. Safe to repeat.
 */
export async function recheckUser(deps: RecheckDependencies, pk: string, nowMs: number): Promise<void> {
  const recheck = await deps.rechecks.findByPk(pk);
  if (!recheck) return;
  const { feedShards } = await deps.accounts.get(recheck.accountId);
  const waiting = await deps.dueItems.listOfUser(recheck, { fromMs: nowMs, feedShards });
  await inChunks(waiting, AT_ONCE, (trackingId) =>
    advanceNotification(deps, trackingId, nowMs, { isRecheck: true }),
  );
  for (const traced of await deps.userTraces.list(recheck)) {
    if (!traced.startsWith(DIGEST_PREFIX)) continue;
    const bucket = await deps.digests.findBucket(traced);
    // An open bucket after its flush time is held.
    if (bucket?.state === 'open' && bucket.flushAtMs <= nowMs) await flushBucket(deps, traced, nowMs);
  }
  await deps.rechecks.complete(recheck, nowMs);
}
