import { endpoint } from '../../shared/http/endpoint.ts';
import { countMessages } from '../../shared/http/rate-limit.ts';
import { acceptBulk } from './accept-bulk.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { localeProblems, readDryRun } from './dry-run.ts';
import { sendBulkRoute } from './routes.ts';

export const handler = endpoint(
  sendBulkRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) => {
    const bulk = { caller, facts: request, entries: body.notifications, ...readDryRun(query) };
    const counted = bulk.dryRun ? undefined : countMessages(caller, body.notifications.length);
    const [results] = await Promise.all([acceptBulk(deps, bulk), counted]);
    return { results };
  },
  ({ query }) => localeProblems(query),
);
