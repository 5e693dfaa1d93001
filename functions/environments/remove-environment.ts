import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import {
  type EnvironmentRemoval,
  environmentRemovals,
} from '../../shared/database/entities/accounts/environment-removals.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';

export const removalDependencies = { apiKeys, environmentRemovals, environments };
type Deps = Resolved<typeof removalDependencies>;

/** Longer than what is in progress can take to store something of the environment. */
const SETTLE_MS = 120_000;

/** Begins a removal: revokes the keys of the environment, and ends its sending. Safe to repeat. */
export async function startRemoval(
  { apiKeys, environmentRemovals, environments }: Deps,
  { accountId, environmentId }: EnvironmentRemoval,
  by: { memberId: string | undefined; nowMs: number },
): Promise<void> {
  const { nowMs } = by;
  // Before anything is removed: an interrupted removal is completed in the background.
  await environmentRemovals.save({ accountId, environmentId, atMs: nowMs }, nowMs + SETTLE_MS);
  await apiKeys.revokeBound(accountId, environmentId, by);
  await environments.markRemoved(accountId, environmentId, nowMs);
}

/** Runs the next step of the removal that a due item names; a finished one has none. */
export async function continueRemoval(deps: Deps, pk: string, nowMs: number): Promise<void> {
  const removal = await deps.environmentRemovals.findByPk(pk);
  if (!removal) return;
  const { accountId, environmentId, atMs } = removal;
  const by = { memberId: undefined, nowMs };
  // A repeated creation leaves the end of an environment that it did not create.
  if (atMs === undefined && !(await deps.environments.find(accountId, environmentId)))
    return deps.environmentRemovals.finish(removal);
  if (atMs === undefined) return startRemoval(deps, removal, by);
  if (nowMs < atMs + SETTLE_MS) return;
  // The request may have been interrupted, or a key created at the same moment.
  await deps.apiKeys.revokeBound(accountId, environmentId, by);
  await deps.environments.markRemoved(accountId, environmentId, nowMs);
  const { next } = await deps.environmentRemovals.removePages(removal);
  if (next) await deps.environmentRemovals.save({ ...removal, next }, nowMs);
  else await deps.environmentRemovals.finish(removal);
}
