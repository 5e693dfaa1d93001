import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { accept } from './accept/accept.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { readDryRun, sendProblems } from './content/request-problems.ts';
import { senderRoute } from './routes.ts';

export const handler = endpoint(
  senderRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) =>
    accept(deps, { operation: 'send', caller, facts: request, body, ...readDryRun(query) }),
  sendProblems,
);
