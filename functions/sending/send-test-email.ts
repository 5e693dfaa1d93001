import { endpoint } from '../../shared/http/endpoint.ts';
import { accept } from './accept.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { testEmailProblems, testEmailRequest } from './direct.ts';
import { readDryRun } from './dry-run.ts';
import { sendTestEmailRoute } from './routes.ts';

export const handler = endpoint(
  sendTestEmailRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) =>
    accept(deps, {
      operation: 'test-email',
      caller,
      facts: request,
      body: testEmailRequest(body),
      ...readDryRun(query),
      test: true,
    }),
  testEmailProblems,
);
