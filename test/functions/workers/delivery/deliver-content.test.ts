import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../../functions/components/create-component.ts';
import { handler as deleteComponent } from '../../../../functions/components/delete-component.ts';
import { handler as sendRequest } from '../../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as deliverCall } from '../../../../functions/workers/delivery/deliver-call.ts';
import { handler as deliverChat } from '../../../../functions/workers/delivery/deliver-chat.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { handler as deliverInapp } from '../../../../functions/workers/delivery/deliver-inapp.ts';
import { handler as deliverPush } from '../../../../functions/workers/delivery/deliver-push.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { handler as deliverWebPush } from '../../../../functions/workers/delivery/deliver-web-push.ts';
import { explain } from '../../../../scripts/logs/explanation.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { users } from '../../../../shared/database/entities/users/users.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { pushProvider } from '../../../../shared/providers/push/push.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { call } from '../../../support/app.ts';
import { recordOf } from '../../../support/workers.ts';
import { accepted, account, app, provider, receive, useDelivering } from './deliver-setup.ts';

useDelivering();

const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};

describe('content that renders to nothing, or to blanks', () => {
  const to = {
    id: 'kim',
    email: 'kim@example.com',
    number: '+12025550123',
    chatChannel: '#general',
    chatToken: { access_token: 't' },
    pushTokens: [{ type: 'FCM', token: 'kims-phone' }],
    webPushTokens: [{ sub: { endpoint: 'https://push.example.com/kim', keys: KEYS } }],
  };
  const empty = '{{ nobody }}';
  const blank = '{{ nobody }} \u00a0\n{{ nobody }}';

  it.each([
    ['email', deliverEmail, { email: { subject: 's', html: empty } }, 'MISSING_EMAIL_HTML'],
    ['email', deliverEmail, { email: { subject: empty, html: 'h' } }, 'MISSING_EMAIL_SUBJECT'],
    ['sms', deliverSms, { sms: { message: empty } }, 'MISSING_SMS_MESSAGE'],
    ['call', deliverCall, { call: { message: empty } }, 'MISSING_SMS_MESSAGE'],
    ['chat', deliverChat, { chat: { text: empty } }, 'NO_TEXT'],
    ['email', deliverEmail, { email: { subject: 's', html: blank } }, 'MISSING_EMAIL_HTML'],
    ['email', deliverEmail, { email: { subject: blank, html: 'h' } }, 'MISSING_EMAIL_SUBJECT'],
    ['sms', deliverSms, { sms: { message: blank } }, 'MISSING_SMS_MESSAGE'],
    ['call', deliverCall, { call: { message: blank } }, 'MISSING_SMS_MESSAGE'],
    ['chat', deliverChat, { chat: { text: blank } }, 'NO_TEXT'],
    ['mobile_push', deliverPush, { mobile_push: { title: blank, message: blank } }, 'UNKNOWN'],
    ['web_push', deliverWebPush, { web_push: { title: blank, message: blank } }, 'UNKNOWN'],
    ['inapp', deliverInapp, { inapp: { title: empty } }, 'IN_APP_WEB_FAILED'],
    ['inapp', deliverInapp, { inapp: { title: blank, body: blank } }, 'IN_APP_WEB_FAILED'],
  ])('fails on %s with a separate code, whatever the provider', async (prefix, deliver, content, code) => {
    const trackingId = await accepted({ type: 'empty', to, ...content, forceChannels: CHANNELS });
    await receive(deliver, 1, trackingId);
    expect((await recordOf(account, trackingId))[`${prefix}_failed_code`]).toBe(code);
  });
});

describe('a message that is too long once it is rendered', () => {
  const TO = {
    number: '+12025550123',
    pushTokens: [{ type: 'FCM', token: 'phone' }],
    webPushTokens: [{ sub: { endpoint: 'https://push.example.com/a', keys: KEYS } }],
    chatToken: { provider: 'discord', webhookUrl: 'https://discord.com/api/webhooks/1/2' },
  };

  it.each([
    ['sms', 'sms', 'message', deliverSms, 'Unknown'],
    ['call', 'call', 'message', deliverCall, 'Unknown'],
    ['mobile_push', 'mobile_push', 'message', deliverPush, 'UNKNOWN'],
    ['web_push', 'web_push', 'message', deliverWebPush, 'UNKNOWN'],
    ['chat', 'chat', 'text', deliverChat, 'MESSAGE_TOO_LONG'],
  ] as const)('is not sent on %s, and its log has the limit', async (prefix, block, field, deliver, code) => {
    const { key } = account.secret;
    const to = { ...TO, id: `lou-${prefix}`, attributes: { story: 'Hi' } };
    const content = { [block]: { [field]: '{{ user.attributes.story }}' } };
    const trackingId = await accepted({ type: `long-${prefix}`, to, ...content });
    const attributes = { story: 'x'.repeat(5000) };
    expect((await call(saveUser, { key, path: { userId: to.id }, body: { attributes } })).status).toBe(200);
    await receive(deliver, 1, trackingId);
    const log = await recordOf(account, trackingId);
    expect(log).toMatchObject({
      [`${prefix}_failed_code`]: code,
      [`${prefix}_failed_internal`]: expect.stringMatching(/^the message has 5,\d+ \w+, providers accept \d/),
    });
    expect(explain(log).join()).toMatch(/Shorten the template, or the values that it contains\./);
  });
});

it.each([
  ['a header', { type: 'header', text: { type: 'plain_text', text: '{{ user.attributes.story }}' } }, 150],
  ['a section', { type: 'section', text: { type: 'mrkdwn', text: 'a {{ user.attributes.story }}' } }, 3000],
  ['a field', { type: 'section', fields: [{ type: 'mrkdwn', text: '{{ user.attributes.story }}' }] }, 2000],
])('%s of a chat message that is too long once it is rendered is not sent', async (_, block, max) => {
  const { key } = account.secret;
  const to = { id: `bo-${max}`, chatToken: { access_token: 'xoxb-1' }, chatChannel: '#a' };
  const chat = { text: 'Hi', blocks: [block] };
  const short = { ...to, attributes: { story: 'Hi' } };
  const trackingId = await accepted({ type: `block-${max}`, to: short, chat });
  const attributes = { story: '{% raw %}'.padEnd(max + 1, 'x') };
  expect((await call(saveUser, { key, path: { userId: to.id }, body: { attributes } })).status).toBe(200);
  await receive(deliverChat, 1, trackingId);
  const log = await recordOf(account, trackingId);
  expect(log).toMatchObject({
    chat_failed_code: 'MESSAGE_TOO_LONG',
    chat_failed_internal: expect.stringMatching(
      /^the message has \S+ characters in a block, providers accept/,
    ),
  });
  expect(explain(log).join()).toMatch(/Shorten the template, or the values that it contains\./);
  const dryRun = { key, query: { dryRun: 'true' }, body: { type: 'now', to: { ...to, attributes }, chat } };
  expect((await call(sendRequest, dryRun)).status).toBe(400);
});

it('an automatic reply that is too long once it is rendered is omitted, and the log says so', async () => {
  const { key } = account.secret;
  const to = { id: 'ria', number: '+12025550123', attributes: { story: 'Hi' } };
  const sms = { message: 'm', autoReply: { message: '{{ user.attributes.story }}' } };
  const long = { attributes: { story: 'x'.repeat(1601) } };
  const trackingId = await accepted({ type: 'replying', to, sms });
  expect((await call(saveUser, { key, path: { userId: 'ria' }, body: long })).status).toBe(200);
  const { provider: fake, deliveries } = provider<'SMS'>();
  replace(smsProvider, () => fake);
  await receive(deliverSms, 1, trackingId);
  expect(deliveries).toMatchObject([{ message: 'm' }]);
  expect(deliveries[0]).not.toHaveProperty('autoReply');
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_sent_at: expect.any(String),
    sms_failed_internal: expect.stringMatching(/^autoReply is omitted: the message has 1,601 characters/),
  });
  const again = await call(sendRequest, { key, body: { type: 'replying', to: { ...to, ...long }, sms } });
  expect([again.status, again.json.error.errors]).toMatchObject([400, [{ path: 'sms.autoReply.message' }]]);
});

describe('a push without text', () => {
  const to = { id: 'pia', pushTokens: [{ type: 'FCM', token: 'sandbox-pia' }] };
  const send = async (body: object) => {
    const { provider: fake, deliveries } = provider<'PUSH'>();
    replace(pushProvider, () => fake);
    const { json } = await call(sendRequest, { key: account.secret.key, body: { to, ...body } });
    await receive(deliverPush, 1, json.trackingId);
    return { messages: json.messages, deliveries, log: await recordOf(account, json.trackingId) };
  };

  it.each([{ mobile_push: {} }, { forceChannels: ['PUSH'] }])(
    'wakes the app silently with contentAvailable, and is not sent without (%o)',
    async (block) => {
      const options = { apn: { contentAvailable: true }, push: { customData: { sync: '1' } } };
      const silent = await send({ type: 'sync', ...block, options });
      expect(silent.messages).toHaveLength('forceChannels' in block ? 0 : 1);
      expect(silent.deliveries).toMatchObject([{ title: '', message: '', customData: { sync: '1' } }]);
      expect(silent.log).toMatchObject({ mobile_push_sent_at: expect.any(String) });
      const empty = await send({ type: 'sync', ...block });
      expect(empty.messages[0]).toMatch(/^PUSH is not sent: /);
      expect(empty.deliveries).toEqual([]);
    },
  );

  it('is not shown if its text renders to nothing', async () => {
    const empty = await send({ type: 'sync', mobile_push: { title: '{{ nobody }}', message: '' } });
    expect(empty.deliveries).toEqual([]);
    expect(empty.log).toMatchObject({ mobile_push_failed_code: 'UNKNOWN' });
  });
});

describe('what is omitted from a message', () => {
  const blob = 'javascript:alert(1)';

  it('appears in the log of a link', async () => {
    const trackingId = await accepted({
      type: 'linked',
      to: { id: 'lin' },
      inapp: { title: 't', url: '{{ link }}', image: '{{ link }}' },
      parameters: { link: blob },
    });
    await receive(deliverInapp, 1, trackingId);
    const log = await recordOf(account, trackingId);
    expect(log).toMatchObject({ inapp_sent_at: expect.any(String) });
    expect(log.inapp_failed_internal).toMatch(/^url was omitted: .*\nimage was omitted: /);
    expect(log.inapp_failed_internal).not.toContain(blob);
  });

  it('appears in the log of a component, with what the provider omitted', async () => {
    const footer = { componentId: 'footer', name: 'Footer', html: 'f' };
    await call(createComponent, { key: account.secret.key, body: footer });
    const trackingId = await accepted({
      type: 'embedding',
      to: { id: 'lin', email: 'lin@example.com' },
      email: { subject: 's', html: "h{% component 'footer' %}" },
    });
    await call(deleteComponent, { key: account.secret.key, path: { componentId: 'footer' } });
    const sent = { kind: 'sent', fields: { email_failed_internal: 'a.pdf is omitted' } } as const;
    replace(emailProvider, () => provider<'EMAIL'>(sent).provider);
    await receive(deliverEmail, 1, trackingId);
    expect(await recordOf(account, trackingId)).toMatchObject({
      email_sent_at: expect.any(String),
      email_failed_internal: 'the component "footer" does not exist\na.pdf is omitted',
    });
  });
});

describe('options.email.condition', () => {
  const mail = (condition: string) =>
    accepted({
      type: 'receipt',
      to: { id: 'bob', email: 'bob@example.com' },
      email: { subject: 's', html: 'h' },
      parameters: { total: 7 },
      options: { email: { condition } },
    });

  it.each([
    ['is unmet', 'total > 10', { email_routing: 'IGNORE' }, 0],
    ['is met', 'total > 5', { email_routing: 'SEND' }, 1],
  ])('sends the email only when it %s', async (_, condition, expected, count) => {
    const scripted = provider<'EMAIL'>();
    replace(emailProvider, () => scripted.provider);
    const trackingId = await mail(condition);
    await receive(deliverEmail, 1, trackingId);
    await receive(deliverEmail, 2, trackingId);
    expect(await recordOf(account, trackingId)).toMatchObject(expected);
    expect(scripted.deliveries).toHaveLength(count);
  });
});

describe('a push token that the provider reports as unregistered', () => {
  const tokens = [
    { type: 'FCM', token: 'alive' },
    { type: 'FCM', token: 'dead' },
  ];
  const save = (pushTokens: object[]) =>
    call(saveUser, { key: account.secret.key, path: { userId: 'eve' }, body: { pushTokens } });
  async function tokensOfEve(): Promise<string[] | undefined> {
    const scope = { accountId: account.account.accountId, environmentId: account.environment.environmentId };
    return (await resolve(users).find(scope, 'eve'))?.pushTokens?.map(({ token }) => token);
  }

  async function deliverWith(outcome: DeliveryOutcome<'PUSH'>) {
    await save([]);
    await save(tokens);
    replace(pushProvider, () => provider<'PUSH'>(outcome).provider);
    const trackingId = await accepted({
      type: 'news',
      to: { id: 'eve' },
      mobile_push: { title: 't', message: 'm' },
    });
    app.clock.nowMs += 1000;
    await receive(deliverPush, 1, trackingId);
    return tokensOfEve();
  }

  const deadTokens = ['dead'];
  const failure = { code: 'UNKNOWN', internal: 'x', deadTokens } as const;

  it.each<[string, DeliveryOutcome<'PUSH'>]>([
    ['sent', { kind: 'sent', fields: {}, deadTokens }],
    ['rejected', { kind: 'rejected', ...failure }],
    ['to be retried', { kind: 'retry', ...failure }],
  ])('leaves its user when the message is %s', async (_, outcome) => {
    expect(await deliverWith(outcome)).toEqual(['alive']);
  });

  it('remains when its user registers it again during the delivery', async () => {
    const answered: DeliveryOutcome<'PUSH'> = { kind: 'sent', fields: {}, deadTokens };
    await save([]);
    await save(tokens);
    replace(pushProvider, () => ({
      name: 'scripted',
      async deliver() {
        app.clock.nowMs += 10;
        await save(tokens);
        return answered;
      },
    }));
    const trackingId = await accepted({
      type: 'news',
      to: { id: 'eve' },
      mobile_push: { title: 't', message: 'm' },
    });
    await receive(deliverPush, 1, trackingId);
    expect(await tokensOfEve()).toEqual(['alive', 'dead']);
  });
});
