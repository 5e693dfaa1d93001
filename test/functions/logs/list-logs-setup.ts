import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';

export const app = laterApp();

export type Page = {
  messages: { trackingId: string; eventType: string; epochMs: number }[];
  nextCursor?: string;
};

export async function sendAt(key: string, atMs: number): Promise<string> {
  app.clock.nowMs = atMs;
  const body = { type: 't', to: { id: 'ada', email: 'ada@example.com' }, email: { subject: 'S', html: 'h' } };
  return (await call(send, { key, body })).json.trackingId;
}

export async function secondEnvironment(
  account: TestAccount,
): Promise<{ environmentId: string; key: string }> {
  const made = await call(createEnvironment, { key: account.secret.key, body: { title: 'staging' } });
  const environmentId = made.json.clientId;
  const body = { keyType: 'secret', name: 'staging', environmentId };
  const { key } = (await call(createKey, { key: account.secret.key, body })).json;
  return { environmentId, key };
}

export const page = (key: string, query: Record<string, string> = {}) => call(listLogs, { key, query });
export const idsOf = ({ messages }: Page) => messages.map(({ trackingId }) => trackingId);

/** Starts this set-up for the tests of a file. */
export function useLogs(): void {
  use(app);
}
