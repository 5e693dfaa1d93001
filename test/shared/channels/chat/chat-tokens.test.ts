import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatDelivery } from '../../../../shared/channels/channel.ts';
import type { ChatTokenRefresh } from '../../../../shared/channels/chat/chat.ts';
import { listChannels } from '../../../../shared/channels/chat/list-channels.ts';
import { exchangeCode, refreshToken } from '../../../../shared/channels/chat/oauth.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { CHAT_APP, CHAT_CODE, chatError, startChatFake } from '../../../support/fakes/chat.ts';
import { HANG_MS } from '../../../support/until.ts';
import { startChat } from './start-chat.ts';

const http = createProviderClient({ timeoutMs: HANG_MS });
const HOUR_MS = 60 * 60_000;

describe('the chat token of a delivery', () => {
  const rotating = (obtainedAtMs?: number): NonNullable<ChatDelivery['chatToken']> => ({
    access_token: 'xoxb-1',
    refresh_token: 'xoxe-1',
    expires_in: 43_200,
    ...(obtainedAtMs === undefined ? {} : { obtainedAtMs }),
  });

  // The injected refresh without its lock: exchange, then return.
  async function startRotating() {
    const place = { url: '' };
    const refresh: ChatTokenRefresh = async ({ chatToken }) => {
      const response = await refreshToken({ ...CHAT_APP, baseUrl: place.url, http, token: chatToken ?? {} });
      return response.kind === 'ok' ? { ...response.value, obtainedAtMs: 0 } : undefined;
    };
    const started = await startChat({ refresh });
    place.url = started.fake.url;
    return started;
  }

  test('counts as INVALID_AUTH when it is missing or has no access token', async () => {
    const { fake, deliver, deliverWithoutToken } = await startChat();
    const rejected = { kind: 'rejected', code: 'INVALID_AUTH' };
    expect(await deliverWithoutToken()).toMatchObject(rejected);
    expect(await deliver({ chatToken: { refresh_token: 'x' } })).toMatchObject(rejected);
    expect(fake.calls).toEqual([]);
  });

  test.each([
    { id: 'U1', access_token: 'xoxb-1', token_type: 'user', scope: 'chat:write' },
    { id: 'U1', access_token: 'xoxb-1', refresh_token: 'xoxe-1', expires_in: 43_200 },
  ])('is that of the person where the app has none: %j', async (authed_user) => {
    const { fake, deliver } = await startRotating();
    for (const nothing of [undefined, null, '']) {
      const chatToken = { authed_user, access_token: nothing, team: null, incoming_webhook: null };
      expect(await deliver({ chatToken })).toMatchObject({ kind: 'sent' });
    }
    expect(fake.posts.map(({ token }) => token)).toEqual(['xoxb-1', 'xoxb-1', 'xoxb-1']);
    fake.expire('xoxb-1');
    const expired = await deliver({ chatToken: { authed_user } });
    expect(expired.kind).toBe(authed_user.refresh_token ? 'sent' : 'rejected');
  });

  test("is the app's where both have one", async () => {
    const { fake, deliver } = await startChat();
    const chatToken = { access_token: 'xoxb-1', authed_user: { access_token: 'xoxp-1' } };
    expect(await deliver({ chatToken })).toMatchObject({ kind: 'sent' });
    expect(fake.posts.map(({ token }) => token)).toEqual(['xoxb-1']);
  });

  test('counts as CHANNEL_NOT_FOUND without any destination', async () => {
    const { deliver } = await startChat();
    expect(await deliver({ chatChannel: '' })).toMatchObject({ kind: 'rejected', code: 'CHANNEL_NOT_FOUND' });
  });

  test('refreshes before use only when less than two hours remain', async () => {
    const { fake, deliver, clock, refreshes } = await startRotating();
    const chatToken = rotating(clock.nowMs - 10 * HOUR_MS);
    await deliver({ chatToken });
    expect(refreshes).toEqual([]);
    clock.nowMs += 1;
    await deliver({ chatToken });
    expect(refreshes).toHaveLength(1);
    expect(fake.posts.map(({ token }) => token)).toEqual(['xoxb-1', 'xoxb-2']);
  });

  test('refreshes when the chat provider reports it expired, and the message is posted once', async () => {
    const { fake, deliver, refreshes } = await startRotating();
    fake.expire('xoxb-1');
    expect(await deliver({ chatToken: rotating() })).toMatchObject({ kind: 'sent' });
    expect(refreshes).toHaveLength(1);
    expect(fake.posts.map(({ token }) => token)).toEqual(['xoxb-2']);
  });

  test('refreshes when it expires during the lookup of a name', async () => {
    const { fake, deliver } = await startRotating();
    fake.expire('xoxb-1');
    expect(await deliver({ chatToken: rotating(), chatChannel: '@ada' })).toMatchObject({ kind: 'sent' });
    expect(fake.posts.map(({ channel }) => channel)).toEqual(['D0U0ADA']);
  });

  test('counts as TOKEN_EXPIRED after one failed refresh', async () => {
    const { fake, deliver, refreshes } = await startChat();
    fake.expire('xoxb-1');
    expect(await deliver({ chatToken: rotating() })).toMatchObject({
      kind: 'rejected',
      code: 'TOKEN_EXPIRED',
    });
    expect(refreshes).toHaveLength(1);
  });

  test('counts as TOKEN_EXPIRED when it expires again right after the refresh', async () => {
    const { fake, deliver, refreshes } = await startRotating();
    fake.respondWith('chat.postMessage', chatError('token_expired'), chatError('token_expired'));
    expect(await deliver({ chatToken: rotating() })).toMatchObject({
      kind: 'rejected',
      code: 'TOKEN_EXPIRED',
    });
    expect(refreshes).toHaveLength(1);
  });

  test('counts as TOKEN_EXPIRED without a refresh token', async () => {
    const { fake, deliver, refreshes } = await startChat();
    fake.expire('xoxb-1');
    expect(await deliver()).toMatchObject({ kind: 'rejected', code: 'TOKEN_EXPIRED' });
    expect(refreshes).toEqual([]);
  });

  test('works until it expires when it could not be refreshed in time', async () => {
    const { fake, deliver, clock } = await startChat();
    expect(await deliver({ chatToken: rotating(clock.nowMs - 11 * HOUR_MS) })).toMatchObject({
      kind: 'sent',
    });
    expect(fake.posts.map(({ token }) => token)).toEqual(['xoxb-1']);
  });

  test('postpones the delivery for a delayed refresh only when it has expired', async () => {
    const refresh: ChatTokenRefresh = async () => ({
      kind: 'retry',
      internal: 'locked',
      afterSeconds: 5,
    });
    const { fake, deliver, clock } = await startChat({ refresh });
    const chatToken = rotating(clock.nowMs - 11 * HOUR_MS);
    expect(await deliver({ chatToken })).toMatchObject({ kind: 'sent' });
    fake.expire('xoxb-1');
    expect(await deliver({ chatToken })).toEqual({
      kind: 'retry',
      code: 'UNKNOWN',
      internal: 'locked',
      afterSeconds: 5,
    });
  });
});

describe('chat authorization', () => {
  async function start() {
    const fake = await startChatFake();
    onTestFinished(fake.close);
    return { fake, app: { ...CHAT_APP, baseUrl: fake.url, http } };
  }

  test('exchanges a code for the complete token object', async () => {
    const { fake, app } = await start();
    const response = await exchangeCode({
      ...app,
      code: CHAT_CODE,
      redirect_uri: 'https://example.com/back',
    });
    expect(response).toMatchObject({
      kind: 'ok',
      value: {
        access_token: 'xoxb-2',
        refresh_token: 'xoxe-2',
        expires_in: 43_200,
        team: { id: 'T1', name: 'Team' },
        authed_user: { id: 'U1' },
      },
    });
    expect(fake.calls[0]?.arguments).toMatchObject({ redirect_uri: 'https://example.com/back' });
  });

  test.each([
    ['a wrong code', { code: 'other' }, 'invalid_code'],
    ['a wrong secret', { clientSecret: 'other' }, 'bad_client_secret'],
  ])('rejects %s with its error name', async (_name, overrides, error) => {
    const { app } = await start();
    const given = { ...app, code: CHAT_CODE, redirect_uri: 'https://example.com/back', ...overrides };
    expect(await exchangeCode(given)).toMatchObject({ kind: 'rejected', error });
  });

  test('replaces both tokens and keeps the fields missing from the response', async () => {
    const { app } = await start();
    const token = { access_token: 'xoxb-1', refresh_token: 'xoxe-1', incoming_webhook: { url: 'https://x' } };
    const first = await refreshToken({ ...app, token });
    expect(first).toMatchObject({
      kind: 'ok',
      value: { access_token: 'xoxb-2', refresh_token: 'xoxe-2', incoming_webhook: { url: 'https://x' } },
    });
    expect(await refreshToken({ ...app, token })).toMatchObject({
      kind: 'rejected',
      error: 'invalid_refresh_token',
    });
  });

  test('fails without a refresh token and without a call', async () => {
    const { fake, app } = await start();
    expect(await refreshToken({ ...app, token: { access_token: 'x' } })).toMatchObject({
      kind: 'rejected',
      error: 'invalid_refresh_token',
    });
    expect(fake.calls).toEqual([]);
  });

  test('reads the token of an organization-wide install, which has no team', async () => {
    const { fake, app } = await start();
    const body = { ok: true, access_token: 'xoxb-9', team: null, enterprise: { id: 'E1', name: null } };
    fake.respondWith('oauth.v2.access', { status: 200, body });
    const response = await exchangeCode({
      ...app,
      code: CHAT_CODE,
      redirect_uri: 'https://example.com/back',
    });
    expect(response).toEqual({
      kind: 'ok',
      value: { ok: true, access_token: 'xoxb-9', enterprise: { id: 'E1' } },
    });
  });

  test('waits when the chat provider is unavailable', async () => {
    const { fake, app } = await start();
    fake.respondWith('oauth.v2.access', { status: 503, headers: { 'retry-after': '6' } });
    const token = { access_token: 'xoxb-1', refresh_token: 'xoxe-1' };
    expect(await refreshToken({ ...app, token })).toMatchObject({ kind: 'retry', afterSeconds: 6 });
  });
});

describe('the list of chat channels', () => {
  async function start(count: number) {
    const channels = Array.from({ length: count }, (_, index) => ({
      id: `C0${index}`,
      name: `channel-${index}`,
      isPrivate: index % 2 === 1,
      isArchived: index === 0,
    }));
    const fake = await startChatFake({ channels });
    onTestFinished(fake.close);
    return { fake, api: { baseUrl: fake.url, http, now: Date.now } };
  }

  test('covers all pages, without archived channels', async () => {
    const { fake, api } = await start(2500);
    const response = await listChannels(api, 'xoxb-1');
    expect(response.kind === 'ok' && response.value).toHaveLength(2499);
    expect(response.kind === 'ok' && response.value[0]).toEqual({
      id: 'C01',
      name: 'channel-1',
      isPrivate: true,
      isMember: false,
    });
    expect(fake.calls).toHaveLength(3);
  });

  test('covers the public channels when the scope for the others is missing', async () => {
    const { fake, api } = await start(4);
    fake.respondWith('conversations.list', chatError('missing_scope', { needed: 'groups:read' }));
    const response = await listChannels(api, 'xoxb-1');
    expect(response.kind === 'ok' && response.value.map(({ id }) => id)).toEqual(['C02']);
  });

  test('fails with the name of the error', async () => {
    const { api } = await start(1);
    expect(await listChannels(api, 'wrong')).toMatchObject({ kind: 'rejected', error: 'invalid_auth' });
  });
});
