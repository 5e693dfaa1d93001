import type { Caller } from '../../shared/http/access/caller.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { acceptBulk } from './accept/accept-bulk.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { localeProblems, readDryRun } from './content/request-problems.ts';
import { sendBulkRoute } from './routes.ts';

export const handler = endpoint(
  sendBulkRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) => {
    const bulk = { caller, facts: request, entries: body.notifications, ...readDryRun(query) };
    const counted = bulk.dryRun ? undefined : count(caller, body.notifications.length);
    const [results] = await Promise.all([acceptBulk(deps, bulk), counted]);
    return { results };
  },
  ({ query }) => localeProblems(query),
);

async function count(caller: Caller, notifications: number): Promise<void> {
  const { countMessages } = await import('../../shared/http/access/count-messages.ts');
  await countMessages(caller, notifications);
}
