import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { handler } from '../../../functions/users/connect-chat.ts';
import { handler as listChatChannels } from '../../../functions/users/list-chat-channels.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  vi.stubEnv('CHAT_PROVIDER', 'sandbox');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

it('connects a user to the sandbox workspace with any code, offline', async () => {
  const { secret } = await createTestAccount(app);
  const path = { userId: 'ada' };
  const body = { code: 'any', redirect_uri: 'http://localhost:4000/connected' };
  expect((await call(handler, { key: secret.key, path, body })).status).toBe(200);
  const { json } = await call(listChatChannels, { key: secret.key, path });
  expect(json.channels.map((channel: { name: string }) => channel.name)).toEqual(['general', 'random']);
});
