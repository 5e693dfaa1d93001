import { describe, expect, it } from 'vitest';
import { partOf } from '../../support/cases.ts';
import { flush, pipeline, useDigests } from './items-setup.ts';
import { digestAccount } from './setup.ts';

useDigests();

const long = (character: string, length: number) => character.repeat(length);
const TEMPLATE = `{{ _items.size }} in all{% for item in _items %}|{{ item.text }}{% endfor %}{% if _more %}|and {{ _more }} more{% endif %}`;
const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};
const TO = {
  id: 'ada',
  number: '+15005551234',
  email: 'ada@example.com',
  pushTokens: [{ type: 'FCM', token: 'phone' }],
  webPushTokens: [{ sub: { endpoint: 'https://push.example.com/a', keys: KEYS } }],
  chatChannel: '#news',
  chatToken: { access_token: 'xoxb-1' },
};
/** Of each channel: inline content, the template's field, the size of one item, and how many of 20 fit at most. */
const CHANNELS = {
  SMS: {
    block: { sms: { message: '{{ text }}' } },
    template: { text: TEMPLATE },
    field: 'message',
    prefix: 'sms',
    size: 200,
    max: 7,
  },
  CALL: {
    block: { call: { message: '{{ text }}' } },
    template: { text: TEMPLATE },
    field: 'message',
    prefix: 'call',
    size: 300,
    max: 9,
  },
  PUSH: {
    block: { mobile_push: { title: 'New', message: '{{ text }}' } },
    template: { title: 'New', message: TEMPLATE },
    field: 'message',
    prefix: 'mobile_push',
    size: 500,
    max: 8,
  },
  WEB_PUSH: {
    block: { web_push: { title: 'New', message: '{{ text }}' } },
    template: { title: 'New', message: TEMPLATE },
    field: 'message',
    prefix: 'web_push',
    size: 500,
    max: 7,
  },
  EMAIL: {
    block: { email: { subject: 'About', html: '<p>{{ text }}</p>' } },
    template: { subject: 'New', html: TEMPLATE },
    field: 'html',
    prefix: 'email',
    size: 150_000,
    max: 13,
  },
  CHAT: {
    block: { chat: { text: '{{ text }}' } },
    template: { text: TEMPLATE },
    field: 'text',
    prefix: 'chat',
    size: 4_000,
    max: 9,
  },
} as const;
const WEBHOOKS = {
  discord: 'https://discord.com/api/webhooks/1/2',
  teams: 'https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=a',
};
type Name = keyof typeof CHANNELS;

async function digestOf(
  channel: Name,
  { hasTemplate, texts }: { hasTemplate: boolean; texts: readonly string[] },
) {
  const { block, template, field } = CHANNELS[channel];
  const account = await digestAccount(pipeline, [channel]);
  if (hasTemplate) await account.addTemplate(channel, template, ['hourly']);
  const trackingIds: string[] = [];
  for (const text of texts) {
    trackingIds.push(await account.send(text, { to: TO, ...block }));
    pipeline.clock.nowMs += 1;
  }
  await flush();
  const sent = account.sent();
  expect(sent).toHaveLength(1);
  const message = sent[0]?.message as unknown as Record<string, string> & {
    content?: Record<string, string>;
  };
  return {
    account,
    trackingIds,
    text: String((message.content ?? message)[field]),
    digest: sent[0]?.trackingId ?? '',
  };
}

describe('a digest over the limit', () => {
  const digests = (Object.keys(CHANNELS) as Name[]).flatMap((channel) =>
    [true, false].map((hasTemplate) => [channel, hasTemplate] as const),
  );

  it.each(partOf(digests))(
    'of %s has what fits and the count of the rest, with a template: %s',
    async (channel, hasTemplate) => {
      const { size, max, prefix } = CHANNELS[channel];
      const texts = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(size));
      const { account, trackingIds, text, digest } = await digestOf(channel, { hasTemplate, texts });
      const shown = texts.filter((each) => text.includes(each));
      expect(shown).toEqual(texts.slice(0, shown.length));
      expect(shown.length).toBeGreaterThanOrEqual(max - 1);
      expect(shown.length).toBeLessThanOrEqual(max);
      const left = 20 - shown.length;
      if (hasTemplate) expect(text).toMatch(new RegExp(`^(<html[^]*>)?20 in all[^]*and ${left} more`));
      else if (!channel.endsWith('PUSH')) expect(text).toContain(`(+${left} more)`);
      expect((await account.log(digest))[`${prefix}_failed_internal`]).toContain(
        `${left} of 20 notifications did not fit`,
      );
      for (const [index, trackingId] of trackingIds.entries()) {
        const log = await account.log(trackingId);
        if (index < shown.length) expect(log).toHaveProperty(`${prefix}_sent_at`);
        else expect(log[`${prefix}_failed_internal`]).toContain('did not fit into its digest');
        if (index >= shown.length) expect(log).not.toHaveProperty(`${prefix}_sent_at`);
      }
    },
  );
});

it.each(['discord', 'teams'] as const)(
  'a digest for %s has what its limit leaves room for',
  async (provider) => {
    const webhookUrl = WEBHOOKS[provider];
    const account = await digestAccount(pipeline, ['CHAT']);
    const to = { id: 'ada', chatToken: { provider, webhookUrl } };
    const size = provider === 'discord' ? 900 : 12_000;
    for (const text of ['a', 'b', 'c']) {
      await account.send(text.repeat(size), { to, ...CHANNELS.CHAT.block });
      pipeline.clock.nowMs += 1;
    }
    await flush();
    const sent = account.sent();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.message).toHaveProperty('content.text', expect.stringMatching(/^a+\nb+\n\(\+1 more\)$/));
  },
);

describe('a digest of texts over the limit', () => {
  it.each([true, false])(
    'leaves out the one that is too long by itself, with a template: %s',
    async (hasTemplate) => {
      const texts = ['first', long('x', 1700), 'third', 'fourth'];
      const { text } = await digestOf('SMS', { hasTemplate, texts });
      for (const each of ['first', 'third', 'fourth']) expect(text).toContain(each);
      expect(text).toContain('1 more');
      expect(text.length).toBeLessThan(200);
    },
  );

  it('has the number of all where no item fits', async () => {
    const { text } = await digestOf('SMS', { hasTemplate: true, texts: [long('x', 1600), long('y', 1600)] });
    expect(text).toBe('2 in all|and 2 more');
  });

  it('has neither a marker nor a note where everything fits', async () => {
    const { account, text, digest } = await digestOf('SMS', { hasTemplate: true, texts: ['a', 'b'] });
    expect(text).toBe('2 in all|a|b');
    expect(await account.log(digest)).not.toHaveProperty('sms_failed_internal');
  });
});

it('sends an email of 120 items of 20 kB, which had been lost', async () => {
  const texts = Array.from({ length: 120 }, (_, index) => `${index}:${long('x', 20_000)};`);
  const { text } = await digestOf('EMAIL', { hasTemplate: true, texts });
  expect(text).toContain('120 in all');
  const left = Number(/and (\d+) more/.exec(text)?.[1]);
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThan(20);
});
