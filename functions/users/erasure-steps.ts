import type { Accounts } from '../../shared/database/entities/accounts.ts';
import type { CarrierStore } from '../../shared/database/entities/carriers.ts';
import type { ErasureJob, ErasureJobs } from '../../shared/database/entities/erasure-jobs.ts';
import type { LogErasures } from '../../shared/database/entities/log-erasures.ts';
import type { UserErasures } from '../../shared/database/entities/user-erasures.ts';

/** Dependencies of erasing logs. */
export type ErasureStepDependencies = {
  accounts: Accounts;
  carriers: CarrierStore;
  erasureJobs: ErasureJobs;
  logErasures: LogErasures;
  userErasures: UserErasures;
};

/** Longer than a delivery in progress can take to store its outcome. */
const DELIVERY_MS = 120_000;
const PAGE = 100;

/** Progress of an erasure. */
export type ErasureProgress = { state: 'running' | 'done'; erasedLogs: number };

/**
 * Erases at most `pages` pages of the feed, then stores its progress. After the whole feed, logs that may
 * have had a delivery in progress are erased again, two minutes after the deletion. Safe to repeat from any
 * point.
 */
export async function erasureStep(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
  pages: number,
): Promise<ErasureProgress> {
  const { feedShards } = await deps.accounts.get(job.accountId);
  let { position, isFeedRead, erasedLogs } = job;
  const again = new Set(job.again);
  for (let page = 0; page < pages && !isFeedRead; page += 1) {
    const found = await deps.logErasures.erasePage(job, { limit: PAGE, feedShards, after: position });
    for (const { trackingId, mayChange } of found.erased) if (mayChange) again.add(trackingId);
    erasedLogs += found.erased.length;
    ({ position } = found);
    isFeedRead = position === undefined;
  }
  const next: ErasureJob = { ...job, position, isFeedRead, again: [...again], erasedLogs };
  const settledAtMs = job.atMs + DELIVERY_MS;
  if (isFeedRead && (again.size === 0 || nowMs >= settledAtMs)) return finish(deps, next);
  await deps.erasureJobs.save(next, isFeedRead ? settledAtMs : nowMs);
  return { state: 'running', erasedLogs };
}

async function finish(deps: ErasureStepDependencies, job: ErasureJob): Promise<ErasureProgress> {
  for (const trackingId of job.again) await deps.logErasures.erase(job, trackingId);
  for (const number of job.addresses.filter((each) => each.startsWith('+')))
    await deps.carriers.delete(number);
  await deps.userErasures.removeLate(job.environmentId, job.userId, job.atMs);
  await deps.erasureJobs.remove(job);
  return { state: 'done', erasedLogs: job.erasedLogs };
}
