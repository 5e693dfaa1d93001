import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { acceptDirect, emailProblems, emailRequest } from './direct.ts';
import { readDryRun } from './dry-run.ts';
import { sendEmailRoute } from './routes.ts';

export const handler = endpoint(
  sendEmailRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) =>
    acceptDirect(deps, {
      operation: 'email',
      caller,
      facts: request,
      body: emailRequest(body),
      ...readDryRun(query),
    }),
  emailProblems,
);
