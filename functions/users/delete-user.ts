import { carriers } from '../../shared/database/entities/carriers.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { erasureJobs } from '../../shared/database/entities/erasure-jobs.ts';
import { logErasures } from '../../shared/database/entities/log-erasures.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { eraseDependencies, eraseUser } from './erase-user.ts';
import { erasureStep, isErased } from './erasure-steps.ts';
import { deleteUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';

/**
 * Pages of the environment's logs that are erased before the response: small environments are finished then.
 */
const PAGES_AT_ONCE = 3;
/** Longer than this request can take: until then, nothing else continues its deletion. */
const CONTINUED_AFTER_MS = 60_000;

export const handler = endpoint(
  deleteUserRoute,
  { ...eraseDependencies, carriers, erasureJobs, logErasures, signer, suppressions },
  async ({ caller, path, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const { userId } = path;
    const atMs = request.receivedAtMs;
    const running = await deps.erasureJobs.find(environmentId, userId);
    let job = running;
    if (await deps.userErasures.hasOwn(environmentId, userId)) {
      const profile = await deps.users.find(caller, userId);
      const addresses = [
        ...(running?.addresses ?? []),
        profile?.email?.toLowerCase(),
        profile?.number,
        userId,
      ];
      job = {
        ...{ accountId, environmentId, userId, atMs, isOwnRemoved: false, isFeedRead: false, erasedLogs: 0 },
        addresses: [...new Set(addresses.filter((each) => each !== undefined))],
        again: running?.again ?? [],
        revision: running?.revision ?? 0,
      };
      // Before anything is removed: an interrupted deletion is completed in the background.
      job = await deps.erasureJobs.save(job, atMs + CONTINUED_AFTER_MS);
      await eraseUser(deps, job, atMs);
      job = { ...job, isOwnRemoved: true };
    }
    if (!job || (job === running && isErased(job))) throw unknownUser();
    const erasure = await erasureStep(deps, job, atMs, PAGES_AT_ONCE);
    return { message: MESSAGES[erasure.state], erasure };
  },
);

const MESSAGES = {
  done: 'The user is deleted and erased from every log.',
  running: 'The user is deleted. Erasing them from the logs continues in the background.',
} as const;
