import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { database } from '../../../shared/database/database.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

const to = { id: 'tom', email: 'tom@example.com', number: '+14155550123' };
const SHARE = '{{ total | divided_by: people }}';
const DAILY = { defaultDeliveryOption: 'daily', daily: { enabled: true } };
const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};
const FAILING = { total: 9, people: 0 };
const post = (body: object, query: Record<string, string> = {}) =>
  call(send, { key: account.secret.key, body: { to, ...body }, query });
const inAnHour = () => new Date(app.clock.nowMs + 3_600_000).toISOString();

async function addType(notificationId: string, templates: Record<string, object>, more: object = {}) {
  const { key } = account.secret;
  const channels = Object.keys(templates);
  const type = { notificationId, title: notificationId, channels, ...more };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  for (const [channel, content] of Object.entries(templates)) {
    const body = { templateId: 'main', ...content };
    const added = await call(createTemplate, { key, path: { notificationId, channel }, body });
    expect(added.status).toBe(200);
  }
}

const email = (html: string) => ({ EMAIL: { subject: 's', html } });

beforeAll(async () => {
  const { key } = account.secret;
  const components = {
    share: SHARE,
    frame: `<main>{{ content }}</main>${SHARE}`,
    plain: '<p>{{ name }}</p>',
  };
  for (const [componentId, html] of Object.entries(components))
    expect(
      (await call(createComponent, { key, body: { componentId, name: componentId, html } })).status,
    ).toBe(200);
});

describe('a stored template that cannot be rendered with the values of a request', () => {
  it.each<[string, Record<string, object>, string, object, object?]>([
    ['text', { SMS: { text: SHARE } }, 'SMS message', FAILING],
    ['email', email(SHARE), 'EMAIL html', FAILING],
    ['subject', { EMAIL: { subject: SHARE, html: 'h' } }, 'EMAIL subject', FAILING],
    ['currency', { SMS: { text: '{{ total | money: currency }}' } }, 'SMS message', { currency: 'Euros' }],
    ['range', { SMS: { text: '{% for i in (1..n) %}x{% endfor %}' } }, 'SMS message', { n: 1_000_001 }],
    ['bare range', { SMS: { text: '{{ (1..n) }}' } }, 'SMS message', { n: 1_000_001 }],
    ['component', email("{% component 'share' %}"), 'EMAIL html', FAILING],
    ['layout', { EMAIL: { subject: 's', html: 'h', layout: 'frame' } }, 'EMAIL layout', FAILING],
    [
      'size',
      { SMS: { text: '{{ a }}{{ a }}{{ a }}{{ a }}{{ a }}{{ a }}' } },
      'SMS message',
      { a: 'x'.repeat(400_000) },
    ],
    ['length', { SMS: { text: 'Hi {{ a }}' } }, 'SMS message', { a: 'x'.repeat(1600) }],
    ['length of a call', { CALL: { text: '{{ a }}' } }, 'CALL message', { a: 'x'.repeat(4000) }],
    ['size of a sum', { SMS: { text: '{{ a }}'.repeat(20) } }, 'SMS message', { a: 'x'.repeat(200_000) }],
    [
      'digest',
      email('{% for each in _items %}{{ 1 | modulo: each.people }}{% endfor %}'),
      'EMAIL html',
      FAILING,
      { options: { EMAIL: DAILY } },
    ],
  ])('is a 400 that stores nothing: %s', async (name, templates, field, parameters, more) => {
    await addType(name, templates, more);
    const error = { code: 'INVALID_TEMPLATE', message: expect.stringContaining(field) };
    const body = { type: name, to: { ...to, id: name }, parameters };
    for (const [request, query] of [
      [body, {}],
      [{ ...body, schedule: inAnHour() }, {}],
      [body, { dryRun: 'true' }],
    ] as const) {
      const { status, json } = await post(request, query);
      expect([status, json.error]).toMatchObject([400, error]);
    }
    const { environmentId } = account.environment;
    expect(await app.database.get(profileKey(environmentId, name))).toBeUndefined();
    const good = { ...body, parameters: { total: 9, people: 3, currency: 'EUR', n: 3, a: 'x' } };
    const { key } = account.secret;
    const bulk = await call(sendBulk, { key, body: { notifications: [body, good] } });
    expect(bulk.json.results).toMatchObject([{ error }, { trackingId: expect.any(String) }]);
    const { trackingId } = (await post({ ...good, schedule: inAnHour() })).json;
    const change = { key, path: { trackingId } };
    expect((await call(reschedule, { ...change, body: { parameters } })).json.error).toMatchObject(error);
    expect((await call(reschedule, { ...change, body: { schedule: inAnHour() } })).status).toBe(200);
  });

  it('is a 400 for a topic where every member gets the template, and is left to the delivery elsewhere', async () => {
    const sendTo = async (name: string, more: object = {}) =>
      (await post({ type: name, to: { topic: 'anybody' }, parameters: FAILING, ...more })).status;
    await addType('one-for-all', { SMS: { text: SHARE } });
    expect(await sendTo('one-for-all')).toBe(400);
    expect(await sendTo('one-for-all', { schedule: inAnHour() })).toBe(400);
    expect(await sendTo('one-for-all', { parameters: { total: 9, people: 3 } })).toBe(200);
    expect(await sendTo('one-for-all', { sms: { message: 'm' } })).toBe(200);
    await addType('by-member', { SMS: { text: '{{ 1 | divided_by: user.attributes.seats }}' } });
    await addType('in-digests', { SMS: { text: SHARE } }, { options: { SMS: DAILY } });
    await addType('variants', { SMS: { text: SHARE } });
    const key = account.secret.key;
    const path = { notificationId: 'variants', channel: 'SMS' };
    await call(createTemplate, { key, path, body: { templateId: 'other', text: 'Hi' } });
    for (const name of ['by-member', 'in-digests', 'variants']) expect(await sendTo(name), name).toBe(200);
  });

  it('is left to the digest that collects it, which is cut to its limit', async () => {
    const parameters = { a: 'x'.repeat(1601) };
    await addType('collected', { SMS: { text: '{{ a }}' } }, { options: { SMS: DAILY } });
    const template = { type: 'collected', parameters };
    const inline = { ...template, sms: { message: '{{ a }}' } };
    for (const body of [template, inline])
      for (const when of [{}, { schedule: inAnHour() }, { to: { topic: 'anybody' } }])
        expect((await post({ ...body, ...when })).status).toBe(200);
  });

  it.each([
    ['mobile_push', { mobile_push: { message: '{{ a }}' } }, 4000],
    ['web_push', { web_push: { message: '{{ a }}' } }, 4000],
    ['chat', { chat: { text: '{{ a }}' } }, 2001],
    ['sms', { sms: { message: '{{ a | upcase }}{{ a }}' } }, 801],
    ['call', { call: { message: '{{ a }}' } }, 3968],
  ])('is a 400 for an inline text that is too long with its values: %s', async (block, content, length) => {
    const reached = {
      id: 'ina',
      number: '+14155550123',
      pushTokens: [{ type: 'FCM', token: 'phone' }],
      webPushTokens: [{ sub: { endpoint: 'https://push.example.com/a', keys: KEYS } }],
      chatToken: { provider: 'discord', webhookUrl: 'https://discord.com/api/webhooks/1/2' },
    };
    const body = { type: `inline-${block}`, to: reached, ...content };
    const { status, json } = await post({ ...body, parameters: { a: 'x'.repeat(length) } });
    const path = `${block}.${block === 'chat' ? 'text' : 'message'}`;
    const message = expect.stringMatching(/^the message has .*, providers accept/);
    expect([status, json.error.errors]).toMatchObject([400, [{ path, message }]]);
    expect((await post({ ...body, parameters: { a: 'x'.repeat(length / 2) } })).status).toBe(200);
  });

  it('is left to the delivery where the user who decides may change, and where the channel gets nothing of it', async () => {
    await addType('seats', { SMS: { text: '{{ 1 | divided_by: user.attributes.seats }}' } });
    expect((await post({ type: 'seats' })).status).toBe(400);
    expect((await post({ type: 'seats', schedule: inAnHour() })).status).toBe(200);
    expect((await post({ type: 'seats', sms: { message: 'm' } })).status).toBe(200);
    expect((await post({ type: 'seats', to: { id: 'una' } })).status).toBe(200);
    const mixed = { type: 'seats', sms: { message: '{{ user.attributes.seats }}' }, schedule: inAnHour() };
    expect((await post(mixed)).status).toBe(200);
  });
});

it('content that fails for no small value is read once for many requests', async () => {
  const html =
    "{% if a %}A | B{% else %}{{ name | default: 'x' | upcase }}{% endif %}{% component 'plain' %}";
  await addType('harmless', email(html));
  const table = resolve(database);
  const reads = [vi.spyOn(table, 'get'), vi.spyOn(table, 'batchGet')];
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    for (const read of reads) read.mockClear();
    expect((await post({ type: 'harmless', parameters: { name: 'Ada' } })).status).toBe(200);
    counts.push(reads.reduce((sum, { mock }) => sum + mock.calls.length, 0));
  }
  vi.restoreAllMocks();
  expect(counts[0]).toBe((counts[1] ?? 0) + 2);
  expect(counts[2]).toBe(counts[1]);
});
