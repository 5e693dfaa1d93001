import { onTestFinished } from 'vitest';
import { createGuardedClient, type GuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { type FakeReply, type FakeRequest, startHttpFake } from '../../../support/fakes/http-fake.ts';

/** A server of files on this machine, let through by its guarded client; ends with the test. */
export async function startFiles(
  response: (request: FakeRequest) => FakeReply,
): Promise<{ url: string; guarded: GuardedClient; paths: string[] }> {
  const paths: string[] = [];
  const server = await startHttpFake((request) => {
    paths.push(request.path);
    return response(request);
  });
  onTestFinished(server.close);
  const guarded = createGuardedClient({ allowedHosts: new Set([`127.0.0.1:${server.port}`]) });
  return { url: server.url, guarded, paths };
}

/** A guarded client for deliveries without attachments: any request fails the test. */
export const noRequests: GuardedClient = {
  request: () => Promise.reject(new Error('No request was expected')),
};
