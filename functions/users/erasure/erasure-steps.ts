import type { Blobs } from '../../../shared/blobs/blobs-port.ts';
import { keyedHash } from '../../../shared/database/entities/access/keyed-hashes.ts';
import type { Accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import type { ErasureJob, ErasureJobs } from '../../../shared/database/entities/erasure/erasure-jobs.ts';
import type { ErasurePasses } from '../../../shared/database/entities/erasure/erasure-passes.ts';
import type { ErasureReceipts } from '../../../shared/database/entities/erasure/erasure-receipts.ts';
import type { ErasedLog, LogErasures } from '../../../shared/database/entities/erasure/log-erasures.ts';
import type { UserErasures } from '../../../shared/database/entities/erasure/user-erasures.ts';
import type { UserExports } from '../../../shared/database/entities/erasure/user-exports.ts';
import type { CarrierStore } from '../../../shared/database/entities/usage/carriers.ts';
import type { Suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { indexTime, timeOfIndexSk } from '../../../shared/database/keys/indexes.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import type { Signer } from '../../../shared/tokens/signer.ts';
import { raiseUserEvent, type userEventDependencies } from '../../workers/webhooks/user-events.ts';

export type ErasureStepDependencies = {
  accounts: Accounts;
  blobs: Blobs;
  carriers: CarrierStore;
  erasureJobs: ErasureJobs;
  erasurePasses: ErasurePasses;
  erasureReceipts: ErasureReceipts;
  logErasures: LogErasures;
  signer: Signer;
  suppressions: Suppressions;
  userErasures: UserErasures;
  userExports: UserExports;
} & Resolved<typeof userEventDependencies>;

/** Longer than a delivery in progress can take to store its outcome, and a new log to appear in the index `feed`. */
export const SETTLE_MS = 120_000;
const PAGE = 100;
/** Pages that are erased before the response. */
const SMALL_PAGES = 3;
const PAGES = 100;
/** Longer than most passes: who waits after that asks for one again. */
const PASS_MS = 3_600_000;

export type ErasureProgress = { state: 'running' | 'done'; erasedLogs: number };

/** True if only the search for late logs is left. */
export function isErased({ isFeedRead, again }: ErasureJob): boolean {
  return isFeedRead && again.length === 0;
}

/**
 * What one person's erasure does alone. At first it reads a small environment to its end; a larger one is read by the
 * pass that serves all who wait, two minutes later, when everything accepted before has settled. A small one's newest part is read
 * again then: the index may lag, and a request in progress may store its log after the deletion. A log that was still changing is
 * erased again two minutes later, until nothing of the person comes after. Safe to repeat from any point.
 */
export async function erasureStep(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
): Promise<ErasureProgress> {
  const settledAtMs = job.atMs + SETTLE_MS;
  let next = job;
  if (!next.isFeedRead && nowMs < settledAtMs) {
    next = await eraseSmall(deps, next, nowMs);
    if (isErased(next)) await eraseLeftovers(deps, next);
  }
  if (next.isFeedRead && nowMs >= settledAtMs) {
    if (!next.isPassed) next = await eraseNewest(deps, next, nowMs);
    if (next.position === undefined) return finish(deps, next, nowMs);
  }
  const isWaiting = !next.isFeedRead && nowMs >= settledAtMs;
  if (isWaiting) await deps.erasurePasses.start(next, nowMs);
  await deps.erasureJobs.save(next, isWaiting ? nowMs + PASS_MS : Math.max(nowMs, settledAtMs));
  return { state: isErased(next) ? 'done' : 'running', erasedLogs: next.erasedLogs };
}

export function withErased<J extends ErasureJob>(job: J, erased: readonly ErasedLog[]): J {
  const again = erased.flatMap(({ trackingId, mayChange }) => (mayChange ? [trackingId] : []));
  return {
    ...job,
    again: [...new Set([...job.again, ...again])],
    erasedLogs: job.erasedLogs + erased.length,
  };
}

async function eraseSmall(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
): Promise<ErasureJob> {
  const { feedShards } = await deps.accounts.get(job.accountId);
  if (feedShards > 1) return job;
  const read = await erasePages(deps, job, { feedShards, pages: SMALL_PAGES, sinceMs: 0, nowMs });
  return { ...read, isFeedRead: read.position === undefined, position: undefined };
}

/** The job has no position when the part that may have changed since the deletion is read. */
async function eraseNewest(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  nowMs: number,
): Promise<ErasureJob> {
  const { feedShards } = await deps.accounts.get(job.accountId);
  const late = { ...job, position: job.position ?? indexTime(job.atMs + 1) };
  return erasePages(deps, late, { feedShards, pages: PAGES, sinceMs: job.atMs - SETTLE_MS, nowMs });
}

/** Erases the next pages of the feed back to `sinceMs`; the job has no position when that is reached. */
async function erasePages(
  deps: ErasureStepDependencies,
  job: ErasureJob,
  {
    feedShards,
    pages,
    sinceMs,
    nowMs,
  }: { feedShards: number; pages: number; sinceMs: number; nowMs: number },
): Promise<ErasureJob> {
  let next = job;
  for (let page = 0; page < pages && (page === 0 || next.position !== undefined); page += 1) {
    const range = { limit: PAGE, feedShards, after: next.position, nowMs };
    const found = await deps.logErasures.erasePage(job, range);
    const isReached = found.position === undefined || timeOfIndexSk(found.position) < sinceMs;
    next = { ...withErased(next, found.erased), position: isReached ? undefined : found.position };
  }
  return next;
}

/** Completes an erasure whose logs are all read, or repeats it for what was still changing. */
export async function finish(
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
    await addEvidence(deps, job, nowMs);
    await deps.erasureJobs.remove(job);
    return { state: 'done', erasedLogs };
  }
  await deps.erasureJobs.save({ ...job, again }, nowMs + SETTLE_MS);
  return { state: 'running', erasedLogs };
}

/** Before the job is removed: an interrupted end is repeated. */
async function addEvidence(
  deps: ErasureStepDependencies,
  { accountId, environmentId, userId, atMs, askedBy, erasedLogs }: ErasureJob,
  nowMs: number,
): Promise<void> {
  const person = await keyedHash(deps.signer, `${environmentId} ${userId}`);
  const receipt = { person, environmentId, askedBy, requestedAtMs: atMs, finishedAtMs: nowMs, erasedLogs };
  const times = { requestedAt: isoOf(atMs), finishedAt: isoOf(nowMs) };
  const event = { eventType: 'USER_ERASED', userId, ...times, erasedLogs, person } as const;
  await raiseUserEvent(deps, { accountId, environmentId }, event, nowMs);
  await deps.erasureReceipts.add(accountId, receipt);
}

/** Those asked for by ID or address. */
export async function removeExports(
  { blobs, userExports }: Pick<ErasureStepDependencies, 'blobs' | 'userExports'>,
  { environmentId, userId, addresses }: ErasureJob,
): Promise<void> {
  for (const name of new Set([userId, ...addresses])) {
    const parts = await userExports.remove(environmentId, name);
    await Promise.all(parts.map((part) => blobs.delete(part)));
  }
}

async function eraseLeftovers(deps: ErasureStepDependencies, job: ErasureJob): Promise<void> {
  for (const number of job.addresses.filter((each) => each.startsWith('+')))
    await deps.carriers.delete(number);
  for (const address of job.addresses.filter((each) => each.includes('@')))
    await deps.suppressions.anonymize(job.accountId, address, deps.signer);
  await removeExports(deps, job);
  await deps.userErasures.removeLate(job.environmentId, job.userId, job.atMs);
}
