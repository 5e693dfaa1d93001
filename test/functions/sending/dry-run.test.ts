import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { handler as sendTestEmail } from '../../../functions/sending/send-test-email.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { environmentPk, logPk } from '../../../shared/database/keys/key.ts';
import { CHANNELS, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { atMost } from '../../support/throttling.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { CREATED } from './full-body.ts';

const app = useApp();
const account = useAccount(app);

const DRY = { dryRun: 'true' };
const key = () => account.secret.key;
const rehearse = (body: object) => call(send, { key: key(), body, query: DRY });
const addType = async (notificationId: string, more: object = {}) => {
  const body = { notificationId, title: notificationId, channels: ['EMAIL', 'SMS'], ...more };
  expect((await call(createType, { key: key(), body })).status).toBe(200);
};
const addTemplate = async (notificationId: string, channel: string, body: object) => {
  const added = await call(createTemplate, { key: key(), path: { notificationId, channel }, body });
  expect(added.status).toBe(200);
};
const TO = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };

describe('a dry run', () => {
  it('returns the content of each channel as it would be sent, and the variables without a value', async () => {
    const body = {
      type: 'content',
      to: TO,
      parameters: { name: 'Ada', items: [{ price: 3 }] },
      replace: { '@shop': 'Shop' },
      email: {
        subject: 'Hi {{ name }} @shop',
        html: '{% for each in items %}{{ each.price }}{% endfor %}{{ order.id }}{% if vip %}!{% endif %}{{ user.email }}',
      },
      sms: { message: '{{ name }} {{ items[0].price }}' },
    };
    const { status, json } = await rehearse(body);
    expect(status).toBe(200);
    const [email, , sms] = json.routing;
    expect(email).toEqual({
      channel: 'EMAIL',
      routing: 'SEND',
      content: { subject: 'Hi Ada Shop', html: '3ada@example.com' },
      missing: ['order.id', 'vip'],
    });
    expect(sms).toMatchObject({ content: { message: 'Ada 3' }, missing: [] });
  });

  it('renders the template of the delivery mode with its digest items and components', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true } } };
    await addType('daily', { options });
    const component = { componentId: 'footer', name: 'Footer', html: '<i>{{ imprint }}</i>' };
    expect((await call(createComponent, { key: key(), body: component })).status).toBe(200);
    await addTemplate('daily', 'EMAIL', {
      templateId: 'default',
      subject: '{{ _items.size }} new',
      html: "{% for item in _items %}{{ item.text }}{% endfor %}{% component 'footer' %}",
    });
    const { json } = await rehearse({ type: 'daily', to: TO, parameters: { text: 'x & y' } });
    expect(json.routing[0]).toEqual({
      channel: 'EMAIL',
      routing: 'BATCH',
      content: { subject: '1 new', html: 'x &amp; y<i></i>' },
      missing: ['imprint'],
    });
  });

  it('reports content that fails to render, except on channels that are not sent', async () => {
    await addType('broken');
    const html = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
    await addTemplate('broken', 'EMAIL', { templateId: 'default', subject: 's', html });
    const body = { type: 'broken', to: { id: 'x', email: 'x@example.com' }, sms: { message: 'm' } };
    const { status, json } = await rehearse(body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect(json.error.message).toMatch(/^EMAIL html: /);
    const unsent = await rehearse({ ...body, to: { id: 'y', number: '+14155550123' } });
    expect([unsent.status, unsent.json.routing[0].content]).toEqual([200, undefined]);
  });

  it('stores and sends nothing on every endpoint that accepts notifications', async () => {
    const fresh = await createTestAccount(app);
    const email = { subject: 's', html: 'h' };
    const cases = [
      [sendEmail, { type: 't', to: 'ada@example.com', ...email }],
      [sendSms, { type: 't', to: '+14155550123', message: 'm' }],
      [
        sendTestEmail,
        { notificationId: 't', to: 'a@example.com', ...email, fromAddress: 'f@example.com', fromName: 'F' },
      ],
    ] as const;
    for (const [handler, body] of cases) {
      const { status, json } = await call(handler, { key: fresh.secret.key, body, query: DRY });
      expect([status, json.routing.filter((each: { content?: object }) => each.content).length]).toEqual([
        200, 1,
      ]);
      expect(await app.database.queryAll(logPk(json.trackingId), '')).toEqual([]);
    }
    expect(await app.database.queryAll(environmentPk(fresh.environment.environmentId), 'TYPE#')).toEqual([]);
  });

  it('makes the same decisions as a real send, including throttling, deduplication, digests and conditions', async () => {
    const day = atMost(3, 'days');
    await addType('plain');
    await addType('throttled', { throttling: day });
    await addType('deduplicated', { deduplication: { duration: 3600 } });
    const digest = { defaultDeliveryOption: 'daily', daily: { enabled: true } };
    await addType('batched', { options: { EMAIL: digest }, throttling: { ...day, max: 5 } });
    await addType('disabled', { enabled: false });
    await addTemplate('batched', 'EMAIL', { templateId: 'a', subject: 's', html: 'h' });
    await addTemplate('plain', 'SMS', { templateId: 'b', text: 't' });
    const blocks = {
      email: { subject: 's', html: 'h' },
      sms: { message: 'm' },
      inapp: { title: 't' },
      chat: { text: 't' },
    };
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const requests = fc.record({
      type: fc.constantFrom('plain', 'throttled', 'deduplicated', 'batched', 'disabled', 'unknown-type'),
      to: fc.constantFrom(TO, { id: 'bob' }, { id: 'eve', email: 'eve@example.com' }),
      templateId: optional(fc.constantFrom('a', 'b', 'none')),
      forceChannels: optional(fc.subarray(['EMAIL', 'SMS', 'CHAT'])),
      parameters: optional(fc.constantFrom({ go: true }, { go: false })),
      options: optional(fc.constant({ email: { condition: 'go' } })),
      schedule: optional(fc.constantFrom('2026-11-22T00:00:00Z', '2020-01-01T00:00:00Z')),
      blocks: fc.subarray(Object.keys(blocks) as (keyof typeof blocks)[]),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ blocks: names, ...rest }) => {
        const body = { ...rest, ...Object.fromEntries(names.map((name) => [name, blocks[name]])) };
        const dry = (await rehearse(body)).json;
        const real = (await call(send, { key: key(), body })).json;
        expect(dry.messages).toEqual(real.messages);
        const log = await recordOf(account, real.trackingId);
        const logged = CHANNELS.map((channel) => log[`${LOG_PREFIX[channel]}_routing`]);
        expect(dry.routing.map(({ routing }: { routing: string }) => routing)).toEqual(logged);
      }),
      { numRuns: 60 },
    );
  });
});

it.each([
  [`<p>${'x'.repeat(103 * 1024)}</p>`, ['EMAIL: Gmail cuts it, because its html is over 102 KB.']],
  ['<style>p{}</style><img src="https://x.org/a.png">', ['EMAIL: it says nothing while images are off.']],
  ['<img src="https://x.org/a.png" alt="Sale">', []],
  ['<p>Sale</p>', []],
])('warns of what readers would miss, %#', async (html, notes) => {
  const body = { type: 'sale', to: { id: 'ada', email: 'ada@example.com' }, email: { subject: 's', html } };
  expect((await rehearse(body)).json.messages).toEqual([CREATED, ...notes]);
});

it.each([
  ['Your code is 123456.', { encoding: 'GSM-7', characters: 20, segments: 1, estimatedPrice: 0.1 }],
  [
    'Your “code” 😀',
    { encoding: 'UCS-2', characters: 13, segments: 1, estimatedPrice: 0.1, ucs2Character: '“' },
  ],
  [
    '{{ missing }}😀',
    { encoding: 'UCS-2', characters: 1, segments: 1, estimatedPrice: 0.1, ucs2Character: '😀' },
  ],
  ['€'.repeat(81), { encoding: 'GSM-7', characters: 81, segments: 2, estimatedPrice: 0.2 }],
])('shows what a text message is sent as: %s', async (message, facts) => {
  const body = { type: 'note', to: { id: 'ada', number: '+12025550123' }, sms: { message } };
  const { routing } = (await rehearse(body)).json;
  const shown = routing.find(({ channel }: { channel: string }) => channel === 'SMS');
  expect(shown).toMatchObject(facts);
  expect('ucs2Character' in shown).toBe('ucs2Character' in facts);
  await call(createType, { key: key(), body: { notificationId: 'note', title: 'Note', channels: ['SMS'] } });
  const path = { notificationId: 'note', channel: 'SMS' };
  const preview = await call(previewTemplate, { key: key(), path, body: { template: { text: message } } });
  expect(preview.json).toMatchObject(facts);
});
