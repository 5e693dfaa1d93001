import { expect, test } from 'vitest';
import { createChatProvider } from '../../../../shared/channels/chat/chat.ts';
import type { GuardedRequest, GuardedResponse } from '../../../../shared/http-client/guarded-client.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { DELIVERY_BASE } from '../delivery-base.ts';

const DISCORD = 'https://discord.com/api/webhooks/1/secret';
const TEAMS =
  'https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=a%2Bb';

async function post(
  provider: string,
  webhookUrl: string,
  reply: { status: number; body?: string },
  text = 'Hi',
) {
  const requests: GuardedRequest[] = [];
  const chat = createChatProvider({
    baseUrl: 'http://127.0.0.1:9',
    http: createProviderClient({ timeoutMs: 1000 }),
    guarded: {
      request: async (request): Promise<GuardedResponse> => {
        requests.push(request);
        const body = Buffer.from(reply.body ?? '');
        return { kind: 'response', status: reply.status, headers: {}, body, truncated: false, durationMs: 1 };
      },
    },
    now: () => 0,
    refresh: async () => undefined,
  });
  const content = { text, username: 'Shop', icon: 'https://a.test/i.png' };
  const outcome = await chat.deliver({ ...DELIVERY_BASE, chatToken: { provider, webhookUrl }, content });
  const [request] = requests;
  return { outcome, url: request?.url, body: request && JSON.parse(String(request.body)) };
}

test('Discord gets the text without mentions, and its answer is recorded', async () => {
  const reply = { status: 200, body: '{"id":"7","channel_id":"8"}' };
  const { outcome, url, body } = await post('discord', DISCORD, reply, '@everyone hi');
  expect(url).toBe(`${DISCORD}?wait=true`);
  expect(body).toEqual({
    content: '@everyone hi',
    username: 'Shop',
    avatar_url: 'https://a.test/i.png',
    allowed_mentions: { parse: [] },
  });
  expect(outcome).toMatchObject({
    kind: 'sent',
    delivered: { chat_delivered_internal: '{"ts":"7","channel":"8"}' },
  });
});

test('Teams gets an Adaptive Card whose text is shown as it is', async () => {
  const { outcome, url, body } = await post('teams', TEAMS, { status: 202 }, 'Hi\n[bank](https://evil.test)');
  expect(url).toBe(TEAMS.replace(':443', ''));
  const [attachment] = body.attachments;
  expect([body.type, attachment.contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
  expect(attachment.content).toMatchObject({
    type: 'AdaptiveCard',
    body: [
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Hi' }] },
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: '[bank](https://evil.test)' }] },
    ],
  });
  expect(outcome.kind).toBe('sent');
});

test.each([
  [
    'discord',
    DISCORD,
    { status: 404, body: '{"code":10015}' },
    { code: 'CHANNEL_NOT_FOUND', deadTokens: [DISCORD] },
  ],
  ['discord', DISCORD, { status: 401 }, { code: 'INVALID_AUTH' }],
  ['discord', DISCORD, { status: 429, body: '{"retry_after":1.2}' }, { kind: 'retry', afterSeconds: 2 }],
  ['discord', DISCORD, { status: 503 }, { kind: 'retry' }],
  ['teams', TEAMS, { status: 413 }, { code: 'MESSAGE_TOO_LONG' }],
  ['teams', TEAMS, { status: 400 }, { code: 'UNKNOWN' }],
])('%s maps its answers to codes, row %#', async (provider, url, reply, expected) => {
  expect((await post(provider, url, reply)).outcome).toMatchObject(expected);
});

test('Discord posts to the thread that the webhook names', async () => {
  const { url } = await post('discord', `${DISCORD}?thread_id=9&wait=false&x=1`, { status: 200 });
  expect(url).toBe(`${DISCORD}?wait=true&thread_id=9`);
});

test('another host gets nothing', async () => {
  for (const url of [
    'https://discord.com.evil.test/api/webhooks/1/2',
    'http://discord.com/api/webhooks/1/2',
    DISCORD.replace('//', '//u:p@'),
    'https://discord.com@evil.test/api/webhooks/1/2',
    'https://discord.com:8443/api/webhooks/1/2',
    'https://discord.com./api/webhooks/1/2',
    'https://dіscord.com/api/webhooks/1/2',
    'https://evil-discord.com/api/webhooks/1/2',
    'https://discord.com/api/users/@me',
    'https://discord.com/api/webhooks/1/2/slack',
    'https://discord.com/api/webhooks/1/2/../../../users',
    'https://discord.com\\@evil.test/api/webhooks/1/2',
    'https://evil.test/https://discord.com/api/webhooks/1/2',
    TEAMS,
    '',
  ])
    expect(await post('discord', url, { status: 200 })).toMatchObject({
      url: undefined,
      outcome: { kind: 'rejected' },
    });
});
