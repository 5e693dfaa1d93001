import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { acceptDirect, emailProblems, emailRequest } from './accept/direct.ts';
import { readDryRun } from './content/request-problems.ts';
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
