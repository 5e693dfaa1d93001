import { carriers } from '../../../shared/database/entities/carriers.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { erasureJobs } from '../../../shared/database/entities/erasure-jobs.ts';
import { logErasures } from '../../../shared/database/entities/log-erasures.ts';
import { suppressions } from '../../../shared/database/entities/suppressions.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { eraseDependencies, eraseTraces, eraseUser } from '../../users/erase-user.ts';
import { erasureStep } from '../../users/erasure-steps.ts';

/** Pages of one step: about ten thousand notifications, in a few seconds. */
const PAGES_PER_STEP = 100;

/** The dependencies of `continueErasure`, by name. */
export const erasureDependencies = {
  ...eraseDependencies,
  carriers,
  erasureJobs,
  logErasures,
  signer,
  suppressions,
};
type Deps = Resolved<typeof erasureDependencies> & { clock: Clock };

/** Runs the next step of the erasure that a due item names; a finished erasure has none. */
export async function continueErasure(deps: Deps, pk: string, nowMs: number): Promise<void> {
  const job = await deps.erasureJobs.findByPk(pk);
  if (!job) return;
  if (job.isOwnRemoved) await eraseTraces(deps, job, nowMs);
  else await eraseUser(deps, job, nowMs);
  await erasureStep(deps, { ...job, isOwnRemoved: true }, nowMs, PAGES_PER_STEP);
}
