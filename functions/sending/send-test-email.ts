import type { NotificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import type { Templates } from '../../shared/database/entities/content/templates.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { acceptDirect, testEmailProblems, testEmailRequest } from './accept/direct.ts';
import { readDryRun } from './content/request-problems.ts';
import { sendTestEmailRoute } from './routes.ts';

export const handler = endpoint(
  sendTestEmailRoute,
  acceptDependencies,
  async ({ caller, body, query, request, ...deps }) => {
    const isGiven = body.parameters !== undefined;
    const samples = isGiven ? undefined : await readSamples(deps, caller.environmentId, body.notificationId);
    return acceptDirect(deps, {
      operation: 'test-email',
      caller,
      facts: request,
      body: testEmailRequest(body, samples),
      ...readDryRun(query),
      test: true,
    });
  },
  testEmailProblems,
);

/** The samples of the type's default email template, without the samples of a digest. */
async function readSamples(
  { notificationTypes, templates }: { notificationTypes: NotificationTypes; templates: Templates },
  environmentId: string,
  notificationId: string,
) {
  const type = await notificationTypes.find(environmentId, notificationId);
  const own = type?.templates.filter(({ channel }) => channel === 'EMAIL');
  const chosen = own?.find(({ defaultFor }) => defaultFor.includes('instant'));
  const found = chosen && (await templates.findStoredContent(environmentId, notificationId, 'EMAIL', chosen));
  const { _items: _, ...samples } = found?.samples ?? {};
  return samples;
}
