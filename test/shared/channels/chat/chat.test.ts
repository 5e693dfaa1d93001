import { describe, expect, test } from 'vitest';
import { buildChatMessage } from '../../../../shared/channels/chat/chat-router.ts';
import { startChat } from './start-chat.ts';

describe('a chat message', () => {
  test('counts as sent when it is accepted, and records its ID and channel', async () => {
    const { fake, deliver } = await startChat();
    const outcome = await deliver();
    expect(outcome).toEqual({
      kind: 'sent',
      fields: {},
      delivered: { chat_delivered_internal: '{"ts":"1700000000.000001","channel":"C0GENERAL"}' },
    });
    expect(fake.posts[0]?.token).toBe('xoxb-1');
  });

  test('carries every field of the content', async () => {
    const { fake, deliver } = await startChat();
    const content = {
      text: 'Shipped',
      blocks: [{ type: 'divider' }],
      username: 'Shop',
      thread_ts: '1700000000.000009',
      reply_broadcast: true,
      parse: 'full' as const,
      link_names: true,
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      metadata: {
        event_type: 'order',
        event_payload: { id: 1 },
        entities: [{ entity_type: 'x', external_ref: { id: '1', type: 't' } }],
      },
    };
    await deliver({ content });
    expect(fake.posts[0]).toMatchObject(content);
  });

  test('keeps the defaults of the API, not those of the chat provider', async () => {
    const { fake, deliver } = await startChat();
    await deliver({ content: { text: 'Shipped', reply_broadcast: true } });
    const { ts, token, ...sent } = fake.posts[0] ?? {};
    expect([ts, token].every(Boolean)).toBe(true);
    expect(sent).toEqual({
      channel: 'C0GENERAL',
      text: 'Shipped',
      parse: 'none',
      link_names: false,
      mrkdwn: true,
      unfurl_links: true,
      unfurl_media: true,
    });
  });

  test.each([
    [':rocket:', { icon_emoji: ':rocket:' }],
    [':wave::skin-tone-2:', { icon_emoji: ':wave::skin-tone-2:' }],
    ['rocket', { icon_emoji: ':rocket:' }],
    ['+1', { icon_emoji: ':+1:' }],
    ['https://example.com/a:b:c.png', { icon_url: 'https://example.com/a:b:c.png' }],
    ['http://example.com/i.png', {}],
    ['not an icon', {}],
    ['', {}],
    [undefined, {}],
  ])('shows the icon %s as emoji or URL', (icon, expected) => {
    const { icon_emoji, icon_url } = buildChatMessage({ text: 'x', ...(icon === undefined ? {} : { icon }) });
    expect(JSON.parse(JSON.stringify({ icon_emoji, icon_url }))).toEqual(expected);
  });
});

describe('a chat destination', () => {
  const postedTo = (fake: Awaited<ReturnType<typeof startChat>>['fake']) =>
    fake.posts.map(({ channel }) => channel);
  const callsOf = (fake: Awaited<ReturnType<typeof startChat>>['fake'], method: string) =>
    fake.calls.filter((call) => call.method === method);

  test.each([
    ['C0GENERAL', 'C0GENERAL'],
    ['general', 'C0GENERAL'],
    ['#general', 'C0GENERAL'],
    [' #general ', 'C0GENERAL'],
    ['U0ADA', 'D0U0ADA'],
    ['W0BOB', 'D0W0BOB'],
    ['@U0ADA', 'D0U0ADA'],
    ['@eve', 'D0U0TWIN1'],
    ['@Countess', 'D0U0ADA'],
    ['D0DIRECT', 'D0DIRECT'],
  ])('%s posts to %s', async (chatChannel, channel) => {
    const { fake, deliver } = await startChat();
    expect(await deliver({ chatChannel })).toMatchObject({ kind: 'sent' });
    expect(postedTo(fake)).toEqual([channel]);
  });

  test('matches a name before a display name', async () => {
    const { fake, deliver } = await startChat();
    await deliver({ chatChannel: '@ada' });
    expect(postedTo(fake)).toEqual(['D0U0ADA']);
  });

  test.each(['@nobody', '@gone', '@twin', 'U0NOBODY', '#nowhere'])(
    '%s is recorded as CHANNEL_NOT_FOUND',
    async (chatChannel) => {
      const { fake, deliver } = await startChat();
      expect(await deliver({ chatChannel })).toMatchObject({ kind: 'rejected', code: 'CHANNEL_NOT_FOUND' });
      expect(fake.posts).toEqual([]);
    },
  );

  test('takes one lookup in 24 hours per token', async () => {
    const { fake, deliver, clock } = await startChat();
    for (const chatChannel of ['@eve', '@eve', '@bob', 'U0TWIN1']) await deliver({ chatChannel });
    expect([callsOf(fake, 'users.list').length, callsOf(fake, 'conversations.open').length]).toEqual([1, 2]);
    clock.nowMs += 24 * 60 * 60_000;
    await deliver({ chatChannel: '@eve' });
    expect([callsOf(fake, 'users.list').length, callsOf(fake, 'conversations.open').length]).toEqual([2, 3]);
  });

  test('does not pass between tokens', async () => {
    const { fake, deliver } = await startChat();
    await deliver({ chatChannel: '@eve' });
    const chatToken = { access_token: 'xoxb-other' };
    expect(await deliver({ chatChannel: '@eve', chatToken })).toMatchObject({ code: 'INVALID_AUTH' });
    expect(callsOf(fake, 'users.list')).toHaveLength(2);
    fake.allow('xoxb-other');
    expect(await deliver({ chatChannel: '@eve', chatToken })).toMatchObject({ kind: 'sent' });
    expect(callsOf(fake, 'conversations.open').map(({ token }) => token)).toEqual(['xoxb-1', 'xoxb-other']);
  });

  const many = Array.from({ length: 450 }, (_, index) => ({ id: `U0${index}`, name: `user${index}` }));

  test('takes as few pages of the search as needed', async () => {
    const { fake, deliver } = await startChat({ users: many });
    await deliver({ chatChannel: '@user210' });
    expect(callsOf(fake, 'users.list').map((call) => call.arguments)).toEqual([
      { limit: '200' },
      { limit: '200', cursor: 'at-200' },
    ]);
    await deliver({ chatChannel: '@user449' });
    expect(callsOf(fake, 'users.list')).toHaveLength(3);
  });

  test('resumes its search where a rate limit stopped it', async () => {
    const { fake, deliver } = await startChat({ users: many });
    await deliver({ chatChannel: '@user0' });
    fake.respondWith('users.list', {
      status: 429,
      headers: { 'retry-after': '20' },
      body: { ok: false, error: 'ratelimited' },
    });
    expect(await deliver({ chatChannel: '@user300' })).toMatchObject({ kind: 'retry', afterSeconds: 20 });
    expect(await deliver({ chatChannel: '@user300' })).toMatchObject({ kind: 'sent' });
    expect(callsOf(fake, 'users.list').map((call) => call.arguments.cursor)).toEqual([
      undefined,
      'at-200',
      'at-200',
    ]);
  });

  test('resolves ten minutes after someone joined', async () => {
    const { fake, deliver, clock } = await startChat();
    await deliver({ chatChannel: '@eve' });
    fake.users.push({ id: 'U0NEW', name: 'new' });
    expect(await deliver({ chatChannel: '@new' })).toMatchObject({ code: 'CHANNEL_NOT_FOUND' });
    clock.nowMs += 10 * 60_000 + 1;
    expect(await deliver({ chatChannel: '@new' })).toMatchObject({ kind: 'sent' });
  });

  test.each(['C0RANDOM', 'random', '#random'])(
    '%s is joined once when the app is not a member',
    async (chatChannel) => {
      const { fake, deliver } = await startChat();
      expect(await deliver({ chatChannel })).toMatchObject({ kind: 'sent' });
      expect(postedTo(fake)).toEqual(['C0RANDOM']);
      expect(callsOf(fake, 'conversations.join')).toHaveLength(1);
    },
  );

  test.each([
    ['a private channel', 'G0SECRET', undefined],
    ['a token without the scope', 'C0RANDOM', 'chat:write'],
  ])('%s is recorded as NOT_IN_CHANNEL without joining', async (_name, chatChannel, scope) => {
    const { fake, deliver } = await startChat();
    const chatToken = { access_token: 'xoxb-1', ...(scope ? { scope } : {}) };
    expect(await deliver({ chatChannel, chatToken })).toMatchObject({
      kind: 'rejected',
      code: 'NOT_IN_CHANNEL',
    });
    expect(callsOf(fake, 'conversations.join')).toEqual([]);
  });

  test('counts as NOT_IN_CHANNEL when joining is rejected, and leads to a retry when joining is rate limited', async () => {
    const { fake, deliver } = await startChat();
    const body = { ok: false, error: 'missing_scope', needed: 'channels:join' };
    fake.respondWith('conversations.join', { status: 200, body });
    expect(await deliver({ chatChannel: 'C0RANDOM' })).toEqual({
      kind: 'rejected',
      code: 'NOT_IN_CHANNEL',
      internal:
        'chat.postMessage: 200 not_in_channel; conversations.join: 200 missing_scope needs channels:join',
    });
    fake.respondWith('conversations.join', { status: 429, headers: { 'retry-after': '3' } });
    expect(await deliver({ chatChannel: 'C0RANDOM' })).toMatchObject({ kind: 'retry', afterSeconds: 3 });
  });
});
