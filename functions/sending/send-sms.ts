import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { acceptDirect, smsProblems, smsRequest } from './accept/direct.ts';
import { readDryRun } from './content/request-problems.ts';
import { sendSmsRoute } from './routes.ts';

export const handler = endpoint(
  sendSmsRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) =>
    acceptDirect(deps, {
      operation: 'sms',
      caller,
      facts: request,
      body: smsRequest(body),
      ...readDryRun(query),
    }),
  smsProblems,
);
