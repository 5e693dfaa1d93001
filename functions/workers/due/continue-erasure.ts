import { erasureJobs } from '../../../shared/database/entities/erasure-jobs.ts';
import { logErasures } from '../../../shared/database/entities/log-erasures.ts';
import { resolveAll } from '../../../shared/runtime/dependency.ts';
import { eraseDependencies, eraseTraces, eraseUser } from '../../users/erase-user.ts';
import { erasureStep } from '../../users/erasure-steps.ts';

/** Pages of one step: about ten thousand notifications, in a few seconds. */
const PAGES_PER_STEP = 100;

/** Takes the next step of the erasure that a due item names; one that is done is no more. */
export async function continueErasure(pk: string, nowMs: number): Promise<void> {
  const deps = resolveAll({ ...eraseDependencies, erasureJobs, logErasures });
  const job = await deps.erasureJobs.findByPk(pk);
  if (!job) return;
  const erasedAtMs = await deps.userErasures.findErasedAtMs(job.environmentId, job.userId);
  // The deletion itself was interrupted before its mark, or the mark's removal: nothing newer than it may be removed.
  if (erasedAtMs === undefined || erasedAtMs < job.atMs) await eraseUser(deps, job);
  else await eraseTraces(deps, job);
  await erasureStep(deps, job, nowMs, PAGES_PER_STEP);
}
