import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CHANNELS, USERS } from '../shared/channels/chat/start-chat.ts';
import { startChatFake } from '../support/fakes/chat.ts';

describe('the fake chat provider', () => {
  test('works with a public client of the Web API', async () => {
    const fake = await startChatFake({ users: USERS, channels: structuredClone(CHANNELS) });
    onTestFinished(fake.close);
    const client = new WebClient('xoxb-1', {
      slackApiUrl: `${fake.url}/`,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    });
    const blocks = [{ type: 'divider' as const }];
    const posted = await client.chat.postMessage({ channel: '#general', text: 'hi', blocks });
    expect(posted).toMatchObject({ ok: true, channel: 'C0GENERAL' });
    expect(fake.posts[0]).toMatchObject({ text: 'hi', blocks });
    await expect(client.chat.postMessage({ channel: 'C0RANDOM', text: 'hi' })).rejects.toMatchObject({
      data: { error: 'not_in_channel' },
    });
    const names: (string | undefined)[] = [];
    for await (const page of client.paginate('users.list', { limit: 2 })) {
      const { members } = page as { members?: { name?: string }[] };
      names.push(...(members ?? []).map(({ name }) => name));
    }
    expect(names).toEqual(USERS.map(({ name }) => name));
    fake.respondWith('chat.postMessage', { status: 429, headers: { 'retry-after': '7' } });
    await expect(client.chat.postMessage({ channel: '#general', text: 'hi' })).rejects.toMatchObject({
      retryAfter: 7,
    });
  });
});
