import { describe, expect, it } from 'vitest';
import type { DeliveryBase, DeliveryByChannel } from '../../../../shared/channels/channel.ts';
import { findOversize, webPushPayloadOf } from '../../../../shared/channels/message-size.ts';
import { apnsBodyOf, fcmMessageOf } from '../../../../shared/channels/push/push-payload.ts';
import type { ReceiptMessage } from '../../../../shared/channels/receipt.ts';
import { createSandboxProvider, type SandboxMessage } from '../../../../shared/channels/sandbox/sandbox.ts';
import { CHANNELS, type Channel } from '../../../../shared/schemas/channel.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';

/** The time of every delivery. */
const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');

const baseOf = (attempt: number): DeliveryBase => ({
  trackingId: 'tracking',
  accountId: 'account',
  environmentId: 'environment',
  notificationId: 'welcome',
  userId: 'ada',
  attempt,
});

/** A delivery to each of `to`. */
const DELIVERIES: { [C in Channel]: (to: string[], attempt: number) => DeliveryByChannel[C] } = {
  EMAIL: ([to = ''], attempt) => ({
    ...baseOf(attempt),
    to,
    from: { address: 'from@example.com' },
    subject: 's',
    html: 'h',
    text: 't',
    replyToAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    attachments: [],
    headers: [],
  }),
  INAPP_WEB: ([userId = ''], attempt) => ({
    ...baseOf(attempt),
    userId,
    title: 't',
    acceptedAtMs: NOW_MS,
    parameters: {},
    deliveryOptions: {},
    expiresAtSeconds: 0,
  }),
  SMS: ([to = ''], attempt) => ({ ...baseOf(attempt), to, message: 'm', mediaUrls: [] }),
  CALL: ([to = ''], attempt) => ({ ...baseOf(attempt), to, message: 'm' }),
  PUSH: (to, attempt) => ({
    ...baseOf(attempt),
    tokens: to.map((token) => ({
      type: token.endsWith('~APN') ? 'APN' : 'FCM',
      token: token.replace('~APN', ''),
    })),
    title: 't',
    message: 'm',
  }),
  WEB_PUSH: (to, attempt) => ({
    ...baseOf(attempt),
    subscriptions: to.map((endpoint) => ({ sub: { endpoint, keys: { p256dh: 'p', auth: 'a' } } })),
    title: 't',
    message: 'm',
    vapid: { publicKey: 'p', privateKey: 'k', subject: 'mailto:a@example.com' },
  }),
  CHAT: ([chatChannel = ''], attempt) => ({ ...baseOf(attempt), chatChannel, content: { text: 't' } }),
};

async function deliver<C extends Channel>(channel: C, to: string | string[], attempt = 1, more: object = {}) {
  const recorded: SandboxMessage[] = [];
  const receipts: ReceiptMessage[] = [];
  const provider = createSandboxProvider(channel, {
    clock: { now: () => NOW_MS },
    allowedHosts: () => new Set(),
    record: async (message) => void recorded.push(message),
    sendReceipts: async (messages) => void receipts.push(...messages.map(({ body }) => JSON.parse(body))),
  });
  const delivery = { ...DELIVERIES[channel]([to].flat(), attempt), ...more };
  const outcome = await provider.deliver(delivery);
  return { outcome, delivery, recorded, receipts, stages: receipts.map(({ stage }) => stage) };
}

const ORDINARY: Record<Channel, string> = {
  EMAIL: 'ada@example.com',
  INAPP_WEB: 'ada',
  SMS: '+14155550123',
  CALL: '+14155550123',
  PUSH: 'device',
  WEB_PUSH: 'https://push.example.com/1',
  CHAT: '#general',
};

const withoutKeys = (delivery: DeliveryByChannel[Channel]) =>
  'vapid' in delivery
    ? {
        ...delivery,
        vapid: { ...delivery.vapid, privateKey: '(hidden)' },
        subscriptions: delivery.subscriptions.map(({ sub }) => ({
          sub: { ...sub, keys: { ...sub.keys, auth: '(hidden)' } },
        })),
      }
    : delivery;

it('records no credential', async () => {
  const secret = 'xoxb-secret';
  const chatToken = {
    access_token: secret,
    refresh_token: secret,
    authed_user: { access_token: secret, refresh_token: secret },
    incoming_webhook: {
      channel: '#general',
      url: `https://hooks.example/${secret}`,
      configuration_url: secret,
    },
    team: { name: 'Team' },
  };
  const recorded: SandboxMessage[] = [];
  const provider = createSandboxProvider('CHAT', {
    clock: { now: () => NOW_MS },
    allowedHosts: () => new Set(),
    record: async (message) => void recorded.push(message),
    sendReceipts: async () => {},
  });
  const delivery = DELIVERIES.CHAT(['#general'], 1);
  const { chatChannel: _, ...elsewhere } = delivery;
  // Without a channel, the webhook decides where the message appears.
  for (const each of [delivery, elsewhere]) await provider.deliver({ ...each, chatToken });
  expect(recorded).toHaveLength(2);
  for (const { message } of recorded)
    expect(message).toMatchObject({ chatToken: { team: { name: 'Team' } } });
  expect(JSON.stringify(recorded)).not.toContain(secret);
});

describe.each(CHANNELS)('%s', (channel) => {
  it('reaches any other recipient, with a complete record and a delivered event', async () => {
    const to = ORDINARY[channel];
    const { outcome, delivery, recorded, receipts, stages } = await deliver(channel, to);
    expect(outcome.kind).toBe('sent');
    expect(recorded).toEqual([
      {
        channel,
        to: [to],
        trackingId: 'tracking',
        userId: delivery.userId,
        attempt: 1,
        outcome: 'sent',
        atMs: NOW_MS,
        message: withoutKeys(delivery),
      },
    ]);
    const isAtOnce = channel === 'CHAT' || channel === 'INAPP_WEB';
    expect(stages).toEqual(isAtOnce ? [] : ['delivered']);
    expect('delivered' in outcome).toBe(isAtOnce);
    for (const receipt of receipts) expect(receipt.atMs).toBeGreaterThan(NOW_MS);
    if (channel === 'CHAT') expect(outcome).toHaveProperty('delivered.chat_delivered_internal');
  });
});

/** Recipients that are rejected immediately, on every channel that has them. */
const slug = (code: string) => code.toLowerCase().replaceAll('_', '-');
const AT_ONCE = ['UNVERIFIED_SENDER', 'SUPPRESSED_BOUNCE', 'SUPPRESSED_COMPLAINT'];
const emailAtOnce = FAILURE_CODES.EMAIL.filter(
  (code) => AT_ONCE.includes(code) || code.startsWith('MISSING_'),
);
const emailLater = FAILURE_CODES.EMAIL.filter((code) => !emailAtOnce.includes(code));
const PHONE_LATER = ['30005', '30006', '30007', '30008', '30453', '40002'];
const phoneCodes = FAILURE_CODES.SMS.filter((code) => /^\d+$/.test(code));

describe('a sandbox message rejected immediately', () => {
  it.each<[Channel, string, string]>([
    ...emailAtOnce.map((code): [Channel, string, string] => ['EMAIL', `${slug(code)}@sandbox.test`, code]),
    ['EMAIL', 'provider-error@sandbox.test', 'UNDETERMINED_BOUNCE'],
    ...(['SMS', 'CALL'] as const).flatMap((channel) => [
      ...phoneCodes
        .filter((code) => !PHONE_LATER.includes(code))
        .map((code): [Channel, string, string] => [channel, `+1500555${code.slice(1)}`, code]),
      [channel, '+15005550500', 'Unknown'] as [Channel, string, string],
    ]),
    ['PUSH', 'sandbox-invalid', 'INVALID_FCM_TOKEN'],
    ['PUSH', 'sandbox-expired', 'INVALID_FCM_TOKEN'],
    ['PUSH', 'sandbox-invalid~APN', 'INVALID_APN_TOKEN'],
    ['PUSH', 'sandbox-expired~APN', 'INVALID_APN_TOKEN'],
    ['PUSH', 'sandbox-no-config', 'NO_FCM_CONFIG'],
    ['PUSH', 'sandbox-no-config~APN', 'NO_APN_CONFIG'],
    ['PUSH', 'sandbox-provider-error', 'UNKNOWN'],
    ['WEB_PUSH', 'https://push.example.com/sandbox-expired', 'UNSUBSCIRBED_OR_EXPIRED'],
    ['WEB_PUSH', 'https://push.example.com/sandbox-provider-error', 'UNKNOWN'],
    ...FAILURE_CODES.CHAT.map((code): [Channel, string, string] => ['CHAT', `#sandbox-${slug(code)}`, code]),
    ['CHAT', 'sandbox-provider-error', 'UNKNOWN'],
    ['INAPP_WEB', 'sandbox-in-app-web-failed', 'IN_APP_WEB_FAILED'],
    ['INAPP_WEB', 'sandbox-provider-error', 'UNKNOWN'],
  ])('%s to %s with %s, and nothing follows', async (channel, to, code) => {
    const { outcome, recorded, receipts } = await deliver(channel, to);
    expect(outcome).toMatchObject({ kind: 'rejected', code });
    expect([recorded[0]?.outcome, receipts]).toEqual(['rejected', []]);
  });
});

describe('a sandbox message rejected later', () => {
  it.each(emailLater)('EMAIL with %s, in any case and with a tag', async (code) => {
    for (const to of [`${slug(code)}@sandbox.test`, `${slug(code).toUpperCase()}+tag@Sandbox.Test`]) {
      const { outcome, receipts } = await deliver('EMAIL', to);
      expect(outcome.kind).toBe('sent');
      expect(receipts).toHaveLength(1);
      expect(receipts[0]).toMatchObject({
        stage: 'failed',
        prefix: 'email',
        fields: { email_failed_code: code, email_failed_recipient: to },
      });
      const isComplaint = code.startsWith('COMPLAINT_') && code !== 'COMPLAINT_NOT_SPAM';
      const reason = isComplaint ? 'Complaint' : code.startsWith('PERMANENT_') ? 'Bounce' : undefined;
      expect(receipts[0]?.suppress?.reason).toBe(reason);
    }
  });

  it.each(
    (['SMS', 'CALL'] as const).flatMap((channel) => PHONE_LATER.map((code) => [channel, code] as const)),
  )('%s with %s', async (channel, code) => {
    const { outcome, receipts } = await deliver(channel, `+1500555${code.slice(1)}`);
    expect(outcome.kind).toBe('sent');
    expect(receipts).toMatchObject([
      { stage: 'failed', fields: { [`${channel.toLowerCase()}_failed_code`]: code } },
    ]);
  });
});

describe('a sandbox message that can be retried', () => {
  const flaky = (name: string): [Channel, string][] => [
    ['EMAIL', `${name}@sandbox.test`],
    ['SMS', name === 'timeout' ? '+15005550504' : '+15005550429'],
    ['CALL', name === 'timeout' ? '+15005550504' : '+15005550429'],
    ['PUSH', `sandbox-${name}`],
    ['WEB_PUSH', `https://push.example.com/sandbox-${name}`],
    ['CHAT', `#sandbox-${name}`],
    ['INAPP_WEB', `sandbox-${name}`],
  ];

  async function expectDelivered(channel: Channel, to: string): Promise<void> {
    const [second, ordinary] = [await deliver(channel, to, 2), await deliver(channel, ORDINARY[channel], 2)];
    expect(second.outcome.kind).toBe('sent');
    expect('delivered' in second.outcome).toBe('delivered' in ordinary.outcome);
    expect(second.stages).toEqual(ordinary.stages);
  }

  it.each(flaky('rate-limited'))(
    '%s to %s succeeds after the seconds that the provider asks for',
    async (channel, to) => {
      const first = await deliver(channel, to);
      expect(first.outcome).toMatchObject({ kind: 'retry', afterSeconds: 1 });
      expect(first.receipts).toEqual([]);
      await expectDelivered(channel, to);
    },
  );

  it.each(flaky('timeout'))('%s to %s succeeds after a missing response', async (channel, to) => {
    const { outcome } = await deliver(channel, to);
    expect(outcome.kind).toBe('retry');
    expect(outcome).not.toHaveProperty('afterSeconds');
    await expectDelivered(channel, to);
  });
});

describe('the receipts of a sandbox message', () => {
  it.each<[Channel, string, string[]]>([
    ['EMAIL', 'delivered@sandbox.test', ['delivered']],
    ['EMAIL', 'opened@sandbox.test', ['delivered', 'opened']],
    ['EMAIL', 'clicked@sandbox.test', ['delivered', 'opened', 'clicked']],
    ['EMAIL', 'no-receipt@sandbox.test', []],
    ['EMAIL', 'permanent-general-bounce@example.com', ['delivered']],
    ['SMS', '+15005550202', []],
    ['CALL', '+15005550202', []],
    ['PUSH', 'sandbox-no-receipt', []],
    ['WEB_PUSH', 'https://push.example.com/sandbox-no-receipt', []],
    ['INAPP_WEB', 'sandbox-no-receipt', []],
  ])('%s to %s is %j', async (channel, to, stages) => {
    const sent = await deliver(channel, to);
    expect([sent.outcome.kind, sent.stages]).toEqual(['sent', stages]);
    const times = sent.receipts.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((left, right) => left - right));
  });

  it.each([
    ['+15005550486', 'BUSY', 0],
    ['+15005550480', 'NO_ANSWER', 0],
    ['+15005550487', 'UNKNOWN', 0],
    ['+15005550485', 'COMPLETED', 0.013],
    ['+14155550123', 'COMPLETED', 0.013],
  ])('a call to %s ends with %s', async (to, code, cost) => {
    const { receipts } = await deliver('CALL', to);
    expect(receipts[0]?.fields).toEqual({
      call_delivered_code: code,
      call_delivered_cost: cost,
      call_delivered_cost_internal: cost,
    });
  });
});

describe('a message that is too long for providers', () => {
  const long = (count: number) => 'x'.repeat(count);
  it.each([
    ['SMS', { message: long(1600) }, { message: long(1601) }],
    ['CALL', { message: long(3967) }, { message: long(3968) }],
    ['PUSH', { title: '', message: long(4000) }, { title: '', message: long(4080) }],
    ['WEB_PUSH', { title: '', message: long(3800) }, { title: '', message: long(3990) }],
    ['CHAT', { content: { text: long(40_000) } }, { content: { text: long(40_001) } }],
    [
      'CHAT',
      { chatToken: { provider: 'discord' }, content: { text: long(2000) } },
      { chatToken: { provider: 'discord' }, content: { text: long(2001) } },
    ],
    [
      'CHAT',
      { chatToken: { provider: 'discord' }, content: { text: '😀'.repeat(2000) } },
      { chatToken: { provider: 'discord' }, content: { text: '😀'.repeat(2001) } },
    ],
    [
      'CHAT',
      { chatToken: { provider: 'teams' }, content: { text: long(28_300) } },
      { chatToken: { provider: 'teams' }, content: { text: long(28_672) } },
    ],
    ['CHAT', { content: { blocks: Array(50).fill({}) } }, { content: { blocks: Array(51).fill({}) } }],
  ] as const)('is named with its limit on %s', (channel, fitting, over) => {
    const accepts = (message: object) =>
      findOversize(channel, { trackingId: 't', notificationId: 'n', ...message } as never);
    expect(accepts(fitting)).toBeUndefined();
    expect(accepts(over)).toMatch(
      /^the message has [\d,]+ (characters|bytes|blocks), providers accept [\d,]+$/,
    );
  });

  it('counts the bytes of a push with all that is sent beside its text', () => {
    const base = { trackingId: 't', notificationId: 'n', title: 'é', message: '' };
    const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
    const frames = {
      PUSH: 4096 - Math.max(bytesOf(fcmMessageOf(base)), bytesOf(apnsBodyOf(base))),
      WEB_PUSH: 3993 - bytesOf(webPushPayloadOf(base)),
    };
    for (const channel of ['PUSH', 'WEB_PUSH'] as const) {
      const of = (length: number) => findOversize(channel, { ...base, message: 'x'.repeat(length) });
      expect([of(frames[channel]), of(frames[channel] + 1)]).toEqual([undefined, expect.any(String)]);
    }
  });
});

describe('a sandbox push to several tokens', () => {
  it('succeeds when one is accepted, and names the unregistered ones', async () => {
    const push = await deliver('PUSH', ['sandbox-invalid', 'device', 'sandbox-expired']);
    expect(push.outcome).toMatchObject({ kind: 'sent', deadTokens: ['sandbox-invalid', 'sandbox-expired'] });
    const gone = 'https://push.example.com/sandbox-expired';
    const web = await deliver('WEB_PUSH', [gone, ORDINARY.WEB_PUSH]);
    expect(web.outcome).toMatchObject({ kind: 'sent', deadTokens: [gone] });
    expect([push.stages, web.stages]).toEqual([['delivered'], ['delivered']]);
  });

  it('fails with its unregistered ones when none is accepted', async () => {
    const { outcome } = await deliver('PUSH', ['sandbox-invalid', 'sandbox-expired']);
    expect(outcome).toMatchObject({
      kind: 'rejected',
      code: 'INVALID_FCM_TOKEN',
      fields: { mobile_push_failed_token: 'sandbox-expired' },
      deadTokens: ['sandbox-invalid', 'sandbox-expired'],
    });
  });
});

describe('a clicked email', () => {
  const unsubscribe = 'https://api.example.com/unsubscribe/token';

  it.each([
    [
      'the first link',
      '<a href="https://shop.example/?a=1&amp;b=2">Shop</a>',
      'https://shop.example/?a=1&b=2',
    ],
    [
      'a link that does not unsubscribe',
      `<a href="${unsubscribe}">Leave</a><a href="https://shop.example/">Shop</a>`,
      'https://shop.example/',
    ],
    ['its only link', `<a href="${unsubscribe}">Leave</a>`, unsubscribe],
    ['an example without a link', '<a href="mailto:ada@example.com">Write</a>', 'https://example.com/'],
  ])('reports %s', async (_, html, link) => {
    const receipts: ReceiptMessage[] = [];
    const provider = createSandboxProvider('EMAIL', {
      clock: { now: () => NOW_MS },
      allowedHosts: () => new Set(),
      record: async () => {},
      sendReceipts: async (messages) => void receipts.push(...messages.map(({ body }) => JSON.parse(body))),
    });
    const headers = [{ name: 'List-Unsubscribe', value: `<${unsubscribe}>` }];
    await provider.deliver({ ...DELIVERIES.EMAIL(['clicked@sandbox.test'], 1), html, headers });
    expect(receipts.at(-1)?.fields).toMatchObject({ email_clicked_link: link });
  });
});

describe('attachments of a sandbox email', () => {
  async function attach(attachments: object[], isDigest = false) {
    const provider = createSandboxProvider('EMAIL', {
      clock: { now: () => NOW_MS },
      allowedHosts: () => new Set(['localhost:4000']),
      record: async () => {},
      sendReceipts: async () => {},
    });
    const delivery = DELIVERIES.EMAIL(['ada@example.com'], 1);
    return provider.deliver({
      ...delivery,
      ...(isDigest ? { isDigest } : {}),
      attachments: attachments as [],
    });
  }
  const a = { filename: 'a.pdf', url: 'https://files.example.com/a.pdf' };

  it.each([
    ['on a private address', { filename: 'b.pdf', url: 'https://10.0.0.1/b' }, 'refused address'],
    ['over http', { filename: 'b.pdf', url: 'http://files.example.com/b' }, 'refused scheme'],
    ['of a type that mail systems reject', { ...a, filename: 'b.exe' }, 'file type not allowed'],
  ])('%s fail the email, as they do with a provider', async (_, attachment, because) => {
    expect(await attach([a, attachment])).toEqual({
      kind: 'rejected',
      code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
      internal: `attachment 2: ${because}`,
    });
    const digest = await attach([a, attachment], true);
    expect(digest).toMatchObject({
      kind: 'sent',
      fields: { email_failed_internal: `${attachment.filename} is omitted: attachment 2: ${because}` },
    });
  });

  it('go out when they are on public hosts or on those that the operator allows', async () => {
    expect(await attach([a, { filename: 'b.pdf', url: 'http://localhost:4000/b' }])).toMatchObject({
      kind: 'sent',
    });
  });
});
