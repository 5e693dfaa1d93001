import { endpoint } from '../../shared/http/endpoint.ts';
import { accept } from './accept.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { readDryRun } from './dry-run.ts';
import { sendProblems } from './request-problems.ts';
import { senderRoute } from './routes.ts';

export const handler = endpoint(
  senderRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) =>
    accept(deps, { operation: 'send', caller, facts: request, body, ...readDryRun(query) }),
  sendProblems,
);
