import type { Accounts } from '../../shared/database/entities/accounts.ts';
import type { CarrierStore } from '../../shared/database/entities/carriers.ts';
import type { ErasureJob, ErasureJobs } from '../../shared/database/entities/erasure-jobs.ts';
import type { ErasureReceipts } from '../../shared/database/entities/erasure-receipts.ts';
import { keyedHash } from '../../shared/database/entities/keyed-hashes.ts';
import type { LogErasures } from '../../shared/database/entities/log-erasures.ts';
import type { Suppressions } from '../../shared/database/entities/suppressions.ts';
import type { UserErasures } from '../../shared/database/entities/user-erasures.ts';
import { indexTime, timeOfIndexSk } from '../../shared/database/keys/indexes.ts';
import type { Signer } from '../../shared/tokens/signer.ts';

/** Dependencies of erasing logs. */
export type ErasureStepDependencies = {
  accounts: Accounts;
  carriers: CarrierStore;
  erasureJobs: ErasureJobs;
  erasureReceipts: ErasureReceipts;
  logErasures: LogErasures;
  signer: Signer;
  suppressions: Suppressions;
  userErasures: UserErasures;
};

/** Longer than a delivery in progress can take to store its outcome, and a new log to appear in the index `feed`. */
export const SETTLE_MS = 120_000;
const PAGE = 100;

/** Progress of an erasure. */
export type ErasureProgress = { state: 'running' | 'done'; erasedLogs: number };

/** True if only the search for late logs is left. */
export function isErased({ isFeedRead, again }: ErasureJob): boolean {
  return isFeedRead && again.length === 0;
}

/**
 * Erases at most `pages` pages of the feed, then stores its progress. Two minutes after the deletion, logs that may have
 * had a delivery in progress are erased again, and the newest part of the feed is read again: the index may lag, and a
 * request in progress may store its log after the deletion. A log that was still changing then is erased again two
 * minutes later, until nothing of the person comes after. Safe to repeat from any point.
 */
export async function erasureStep(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
  pages: number,
): Promise<ErasureProgress> {
  const settledAtMs = job.atMs + SETTLE_MS;
  let next = job;
  if (!next.isFeedRead) {
    next = await erasePages(deps, next, { pages, sinceMs: 0, nowMs });
    next.isFeedRead = next.position === undefined;
    if (isErased(next)) await eraseLeftovers(deps, next);
  }
  if (next.isFeedRead && nowMs >= settledAtMs) {
    const late = { ...next, position: next.position ?? indexTime(job.atMs + 1) };
    next = await erasePages(deps, late, { pages, sinceMs: job.atMs - SETTLE_MS, nowMs });
    if (next.position === undefined) return finish(deps, next, nowMs);
  }
  await deps.erasureJobs.save(next, next.isFeedRead ? Math.max(nowMs, settledAtMs) : nowMs);
  return { state: isErased(next) ? 'done' : 'running', erasedLogs: next.erasedLogs };
}

/** Erases the next pages of the feed back to `sinceMs`; the job has no position when that is reached. */
async function erasePages(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  { pages, sinceMs, nowMs }: { pages: number; sinceMs: number; nowMs: number },
): Promise<ErasureJob> {
  const { feedShards } = await deps.accounts.get(job.accountId);
  let { position, erasedLogs } = job;
  const again = new Set(job.again);
  for (let page = 0; page < pages && (page === 0 || position !== undefined); page += 1) {
    const found = await deps.logErasures.erasePage(job, { limit: PAGE, feedShards, after: position, nowMs });
    for (const { trackingId, mayChange } of found.erased) if (mayChange) again.add(trackingId);
    erasedLogs += found.erased.length;
    const isReached = found.position === undefined || timeOfIndexSk(found.position) < sinceMs;
    position = isReached ? undefined : found.position;
  }
  return { ...job, position, again: [...again], erasedLogs };
}

async function finish(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
): Promise<ErasureProgress> {
  const again: string[] = [];
  for (const trackingId of job.again) {
    const erased = await deps.logErasures.erase(job, trackingId, nowMs);
    if (erased.some(({ mayChange }) => mayChange)) again.push(trackingId);
  }
  await eraseLeftovers(deps, job);
  const { erasedLogs } = job;
  if (again.length === 0) {
    await addReceipt(deps, job, nowMs);
    await deps.erasureJobs.remove(job);
    return { state: 'done', erasedLogs };
  }
  await deps.erasureJobs.save({ ...job, again }, nowMs + SETTLE_MS);
  return { state: 'running', erasedLogs };
}

/** Before the job is removed: an interrupted end is repeated. */
async function addReceipt(
  { erasureReceipts, signer }: ErasureStepDependencies,
  { accountId, environmentId, userId, atMs, askedBy, erasedLogs }: ErasureJob,
  nowMs: number,
): Promise<void> {
  const person = await keyedHash(signer, `${environmentId} ${userId}`);
  const receipt = { person, environmentId, askedBy, requestedAtMs: atMs, finishedAtMs: nowMs, erasedLogs };
  await erasureReceipts.add(accountId, receipt);
}

async function eraseLeftovers(deps: ErasureStepDependencies, job: ErasureJob): Promise<void> {
  for (const number of job.addresses.filter((each) => each.startsWith('+')))
    await deps.carriers.delete(number);
  for (const address of job.addresses.filter((each) => each.includes('@')))
    await deps.suppressions.anonymize(job.accountId, address, deps.signer);
  await deps.userErasures.removeLate(job.environmentId, job.userId, job.atMs);
}
