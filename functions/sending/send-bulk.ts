import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptBulk } from './accept-bulk.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { localeProblems, readDryRun } from './dry-run.ts';
import { sendBulkRoute } from './routes.ts';

export const handler = endpoint(
  sendBulkRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) => {
    const bulk = { caller, facts: request, entries: body.notifications, ...readDryRun(query) };
    return { results: await acceptBulk(deps, bulk) };
  },
  ({ query }) => localeProblems(query),
);
