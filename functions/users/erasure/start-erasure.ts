import { blobs } from '../../../shared/blobs/blobs.ts';
import { type ErasureJob, erasureJobs } from '../../../shared/database/entities/erasure/erasure-jobs.ts';
import { erasurePasses } from '../../../shared/database/entities/erasure/erasure-passes.ts';
import { erasureReceipts } from '../../../shared/database/entities/erasure/erasure-receipts.ts';
import { logErasures } from '../../../shared/database/entities/erasure/log-erasures.ts';
import { userExports } from '../../../shared/database/entities/erasure/user-exports.ts';
import { carriers } from '../../../shared/database/entities/usage/carriers.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { userEventDependencies } from '../../workers/webhooks/user-events.ts';
import { eraseDependencies, eraseUser } from './erase-user.ts';
import { type ErasureProgress, erasureStep, isErased, removeExports } from './erasure-steps.ts';
import { addressesOf } from './reach.ts';

export const erasureDependencies = {
  ...eraseDependencies,
  ...{ blobs, carriers, erasureJobs, erasurePasses, erasureReceipts, logErasures, suppressions, userExports },
  ...userEventDependencies,
};

/** Longer than a request can take: until then, nothing else continues its deletion. */
const CONTINUED_AFTER_MS = 60_000;
type Request = {
  atMs: number;
  askedBy: string;
  /** Addresses of the person besides the profile's addresses. */
  addresses?: readonly string[];
  /** Users who had one of the addresses. */
  formerOf?: readonly string[];
  /** The logs are searched even if nothing else is stored under the ID. */
  isCertain?: boolean;
};

/** Deletes a user and begins to erase their logs, or continues; undefined if there is nothing to erase. */
export async function startErasure(
  deps: Resolved<typeof erasureDependencies>,
  person: { accountId: string; environmentId: string; userId: string },
  { atMs, askedBy, addresses: named = [], formerOf = [], isCertain = false }: Request,
): Promise<ErasureProgress | undefined> {
  const { environmentId, userId } = person;
  const running = await deps.erasureJobs.find(environmentId, userId);
  const isNew = isCertain && running === undefined;
  let job: ErasureJob | undefined = running;
  if (isNew || (await deps.userErasures.hasOwn(environmentId, userId))) {
    const profile = await deps.users.find(person, userId);
    const addresses = [...(running?.addresses ?? []), ...named, ...addressesOf(profile), userId];
    // Before anything is removed: an interrupted deletion is completed in the background.
    job = await deps.erasureJobs.save(
      {
        ...{ ...person, atMs, askedBy, isOwnRemoved: false, isFeedRead: false, erasedLogs: 0 },
        addresses: [...new Set(addresses)],
        formerOf: [...new Set([...(running?.formerOf ?? []), ...formerOf])],
        again: running?.again ?? [],
        revision: running?.revision ?? 0,
      },
      atMs + CONTINUED_AFTER_MS,
    );
    await removeExports(deps, job);
    await eraseUser(deps, job, atMs);
    job = { ...job, isOwnRemoved: true };
  }
  if (!job || (job === running && isErased(job))) return undefined;
  return erasureStep(deps, job, atMs);
}
