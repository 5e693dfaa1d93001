import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import type { UserExport } from '../../shared/database/entities/erasure/user-exports.ts';
import { userList } from '../../shared/database/entities/users/user-list.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { normalizeContact } from '../../shared/http/problems/contact.ts';
import { actorOf } from '../preferences/choose.ts';
import { addressesOf, reachOf } from './erasure/reach.ts';
import { exportResponse } from './export/export-response.ts';
import { exportDependencies, exportStep } from './export/export-steps.ts';
import { createExportRoute } from './routes.ts';

/** Pages that are read before the response: small environments are finished then. */
const SMALL_PAGES = 3;
const PEOPLE_AT_ONCE = 20;
/** Longer than a request can take. */
const CONTINUED_AFTER_MS = 60_000;

export const handler = endpoint(
  createExportRoute,
  { ...exportDependencies, environments, signer, userList, users },
  async ({ caller, path: { userId }, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const nowMs = request.receivedAtMs;
    const running = await deps.userExports.find(environmentId, userId, nowMs);
    if (running && running.readyAtMs === undefined) return exportResponse(deps.signer, running);
    const replaced = await deps.userExports.remove(environmentId, userId);
    await Promise.all(replaced.map((name) => deps.blobs.delete(name)));
    const reached = await reachOf(deps, caller, { userId, ...addressesIn(userId) });
    const profiles = await Promise.all(
      reached.people.map((person) => deps.users.find({ accountId, ...person }, person.userId)),
    );
    const addresses = [...new Set([...reached.addresses, ...profiles.flatMap(addressesOf)])];
    const job: UserExport = {
      ...{ accountId, environmentId, userId, askedBy: actorOf(caller), atMs: nowMs },
      ...{ people: reached.people, addresses, done: 0, parts: [], revision: 0 },
    };
    // Before anything is read: an interrupted export is continued in the background.
    const stored = (await deps.userExports.save(job, nowMs + CONTINUED_AFTER_MS)) ?? job;
    const next = await exportStep(
      deps,
      stored,
      nowMs,
      Math.min(reached.people.length, PEOPLE_AT_ONCE) + SMALL_PAGES,
    );
    return exportResponse(deps.signer, next ?? stored);
  },
);

/** The address that an ID is, if it is one. */
function addressesIn(userId: string): { email?: string; number?: string } {
  if (userId.includes('@')) return { email: userId };
  const { number } = /^\+?[\d ()-]{7,}$/.test(userId) ? normalizeContact({ number: userId }) : {};
  return number ? { number } : {};
}
