import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler } from '../../../functions/users/connect-chat.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as listChatChannels } from '../../../functions/users/list-chat-channels.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { CHAT_APP, CHAT_CODE, chatError, startChatFake } from '../../support/fakes/chat.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const app = useApp();
const account = useAccount(app, 'test');
const chat = useStarted(() =>
  startChatFake({
    channels: [
      { id: 'C0GENERAL', name: 'general', isMember: true },
      { id: 'G0SECRET', name: 'secret', isPrivate: true },
      { id: 'C0OLD', name: 'old', isArchived: true },
    ],
  }),
);
beforeAll(() => {
  vi.stubEnv('CHAT_BASE_URL', chat.url);
  vi.stubEnv('CHAT_CLIENT_ID', CHAT_APP.clientId);
  vi.stubEnv('CHAT_CLIENT_SECRET', CHAT_APP.clientSecret);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const path = { userId: 'ada' };
const body = { code: CHAT_CODE, redirect_uri: 'https://app.example.com/connected' };
const CHANNELS = [
  { id: 'C0GENERAL', name: 'general', isPrivate: false, isMember: true },
  { id: 'G0SECRET', name: 'secret', isPrivate: true, isMember: false },
];

describe('POST /users/{userId}/chat-oauth', () => {
  it.each(['secret', 'public'] as const)(
    'exchanges the code and stores the token, for a %s key',
    async (kind) => {
      const { status, json } = await call(handler, { key: account[kind].key, path, body });
      expect([status, json]).toEqual([200, { success: true, message: expect.any(String) }]);
      expect(JSON.stringify(json)).not.toContain('xox');
      const stored = await call(getUser, { key: account.secret.key, path });
      expect(stored.json.chatToken).toMatchObject({
        access_token: expect.stringMatching(/^xoxb-/),
        team: { id: 'T1' },
      });
      const asked = chat.calls.filter((each) => each.method === 'oauth.v2.access').at(-1);
      expect(asked?.arguments).toMatchObject(body);
    },
  );

  it.each([
    [
      'user scopes only',
      { authed_user: { id: 'U1', access_token: 'xoxp-9', token_type: 'user' }, team: { id: 'T1' } },
    ],
    [
      'a whole organization',
      { access_token: 'xoxb-9', team: null, incoming_webhook: null, is_enterprise_install: true },
    ],
    ['nothing else', { access_token: 'xoxb-9', authed_user: null, enterprise: { id: 'E1', name: null } }],
  ])('connects an installation with %s', async (_, token) => {
    chat.respondWith('oauth.v2.access', { status: 200, body: { ok: true, ...token } });
    expect((await call(handler, { key: account.secret.key, path, body })).status).toBe(200);
    const stored = (await call(getUser, { key: account.secret.key, path })).json.chatToken;
    expect(stored.access_token ?? stored.authed_user.access_token).toMatch(/^xox[bp]-9$/);
    expect((await call(saveUser, { key: account.secret.key, path, body: { chatToken: token } })).status).toBe(
      200,
    );
  });

  it.each([{}, { access_token: null, authed_user: { id: 'U1' } }])(
    'connects nobody with a response without a token: %j',
    async (token) => {
      chat.respondWith('oauth.v2.access', { status: 200, body: { ok: true, ...token } });
      expect((await call(handler, { key: account.secret.key, path, body })).status).toBe(502);
    },
  );

  it.each([
    [['CHAT_CLIENT_ID', 'CHAT_CLIENT_SECRET'], 'CHAT_CLIENT_ID and CHAT_CLIENT_SECRET are not set'],
    [['CHAT_CLIENT_SECRET'], 'chat app: CHAT_CLIENT_SECRET is not set'],
  ])('lists the settings %j that are missing for chat', async (names, message) => {
    for (const name of names) vi.stubEnv(name, '');
    const { status, json } = await call(handler, { key: account.secret.key, path, body });
    vi.stubEnv('CHAT_CLIENT_ID', CHAT_APP.clientId);
    vi.stubEnv('CHAT_CLIENT_SECRET', CHAT_APP.clientSecret);
    expect([status, json.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect(json.error.message).toContain(message);
  });

  it('returns 502 with the code of the chat provider when it rejects, and stores nothing', async () => {
    const { status, json } = await call(handler, {
      key: account.secret.key,
      path,
      body: { ...body, code: 'used-before' },
    });
    expect([status, json.error]).toMatchObject([
      502,
      { code: 'PROVIDER_ERROR', provider: 'chat', providerCode: 'invalid_code' },
    ]);
    expect((await call(getUser, { key: account.secret.key, path })).json.error.code).toBe(
      'RESOURCE_NOT_FOUND',
    );
  });

  it('returns 502 when the chat provider is unavailable', async () => {
    chat.respondWith('oauth.v2.access', { status: 503, body: 'down' });
    const { status, json } = await call(handler, { key: account.secret.key, path, body });
    expect([status, json.error.code]).toEqual([502, 'PROVIDER_ERROR']);
  });

  it.each(['code', 'redirect_uri'])('returns 400 for invalid values of %s', async (field) => {
    const values = [...NOT_TEXT, '', ' ', 'x'.repeat(2049)];
    await expectRefusedValues(handler, { key: account.secret.key, path, body }, field, values);
  });
});

describe('GET /users/{userId}/chat-channels', () => {
  it('lists the channels of the workspace that are not archived', async () => {
    await call(handler, { key: account.secret.key, path, body });
    const { status, json } = await call(listChatChannels, { key: account.public.key, path });
    expect([status, json]).toEqual([200, { channels: CHANNELS }]);
  });

  it('refreshes an expired token, stores it and lists the channels', async () => {
    await call(handler, { key: account.secret.key, path, body });
    const before = (await call(getUser, { key: account.secret.key, path })).json.chatToken.access_token;
    chat.expire(before);
    app.clock.nowMs += 13 * 3_600_000;
    const { status, json } = await call(listChatChannels, { key: account.secret.key, path });
    expect([status, json]).toEqual([200, { channels: CHANNELS }]);
    const after = (await call(getUser, { key: account.secret.key, path })).json.chatToken.access_token;
    expect(after).toMatch(/^xoxb-/);
    expect(after).not.toBe(before);
  });

  it('returns 502 with the code of the chat provider when the token is revoked', async () => {
    await call(handler, { key: account.secret.key, path, body });
    chat.respondWith('conversations.list', chatError('token_revoked'));
    const { status, json } = await call(listChatChannels, { key: account.secret.key, path });
    expect([status, json.error]).toMatchObject([502, { provider: 'chat', providerCode: 'token_revoked' }]);
  });

  it('returns NOT_CONNECTED without a usable token: no user, no token, a token without access, another account', async () => {
    const [one, other] = [await createTestAccount(app), await createTestAccount(app)];
    await call(handler, { key: one.secret.key, path, body });
    await call(saveUser, { key: other.secret.key, path: { userId: 'bob' }, body: {} });
    await call(saveUser, {
      key: other.secret.key,
      path: { userId: 'eve' },
      body: { chatToken: { ok: true } },
    });
    for (const userId of ['ada', 'bob', 'eve']) {
      const { status, json } = await call(listChatChannels, { key: other.secret.key, path: { userId } });
      expect([status, json.error.code]).toEqual([400, 'NOT_CONNECTED']);
    }
  });
});
