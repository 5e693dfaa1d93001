import { expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { CHANNELS, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();

const DAY_MS = 86_400_000;
const TO = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };
const BLOCKS = {
  email: { subject: 'Hi {{ name }}', html: '<p>Hi {{ name }}, {{ order.id }}</p>' },
  sms: { message: 'Hi {{ name }}, {{ order.id }}' },
  call: { message: 'Hi {{ name }}, {{ order.id }}' },
  inapp: { title: 'Hi {{ name }}, {{ order.id }}' },
  mobile_push: { title: 'Hi', message: '{{ name }}, {{ order.id }}' },
  web_push: { title: 'Hi', message: '{{ name }}, {{ order.id }}' },
  chat: { text: 'Hi {{ name }}, {{ order.id }}' },
};
const BOTH = { missing: 'name, order.id', missing_count: 2 };

async function setUp(type?: object) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  if (type) await call(createType, { key, body: { notificationId: 't', title: 'T', ...type } });
  return {
    key,
    async send(body: object): Promise<string> {
      const { json } = await call(send, { key, body: { type: 't', to: TO, ...body } });
      return json.trackingId;
    },
    /** Returns the fields on variables without a value, by channel. */
    async missing(trackingId: string): Promise<Record<string, object>> {
      const record = await recordOf(account, trackingId);
      const fields = CHANNELS.map((channel) => {
        const prefix = `${LOG_PREFIX[channel]}_`;
        const named = ['missing', 'missing_count'].map((name) => [name, record[prefix + name]]);
        return [channel, Object.fromEntries(named.filter(([, value]) => value !== undefined))];
      });
      return Object.fromEntries(fields.filter(([, found]) => Object.keys(found).length > 0));
    },
    record: (trackingId: string) => recordOf(account, trackingId),
  };
}

it('names the variables without a value in the log of every channel', async () => {
  const app = await setUp();
  const sub = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } };
  const profile = {
    ...{ email: TO.email, number: TO.number },
    pushTokens: [{ type: 'FCM', token: 'token', device: {} }],
    webPushTokens: [{ sub }],
    chatToken: { provider: 'discord', webhookUrl: 'https://discord.com/api/webhooks/1/a' },
  };
  const saved = await call(saveUser, { key: app.key, path: { userId: 'ada' }, body: profile });
  expect(saved.json).not.toHaveProperty('error');
  const lacking = await app.send(BLOCKS);
  const complete = await app.send({ ...BLOCKS, parameters: { name: 'Ada', order: { id: 7 } } });
  await pipeline.settle();
  expect(await app.missing(lacking)).toEqual(Object.fromEntries(CHANNELS.map((channel) => [channel, BOTH])));
  expect(await app.missing(complete)).toEqual({});
});

it('is the list of the dry run', async () => {
  const app = await setUp();
  const body = {
    type: 't',
    to: TO,
    sms: { message: 'Hi {{ a }}{% if b %}{{ user.attributes.c }}{% endif %}' },
  };
  const { json } = await call(send, { key: app.key, query: { dryRun: 'true' }, body });
  const trackingId = await app.send(body);
  await pipeline.settle();
  const { missing } = json.routing.find(({ channel }: { channel: string }) => channel === 'SMS');
  expect(missing).toEqual(['a', 'b', 'user.attributes.c']);
  expect(await app.missing(trackingId)).toEqual({ SMS: { missing: missing.join(', '), missing_count: 3 } });
});

it('names nothing of a type with a schema', async () => {
  const app = await setUp({ channels: ['SMS'], parametersSchema: { type: 'object' } });
  const trackingId = await app.send({ sms: BLOCKS.sms });
  await pipeline.settle();
  expect(await app.record(trackingId)).toHaveProperty('sms_sent_at');
  expect(await app.missing(trackingId)).toEqual({});
});

it('counts all and names twenty', async () => {
  const app = await setUp();
  const names = Array.from({ length: 30 }, (_, index) => `v${10 + index}`);
  const message = names.map((name) => `{{ ${name} }}`).join(' ');
  const trackingId = await app.send({ sms: { message: `Hi ${message}` } });
  await pipeline.settle();
  const missing = names.slice(0, 20).join(', ');
  expect(await app.missing(trackingId)).toEqual({ SMS: { missing, missing_count: 30 } });
});

it('names them of a message that fails, and of a sensitive one', async () => {
  const app = await setUp();
  const to = { id: 'bob', email: 'permanent-no-email-bounce@sandbox.test', number: '+15005550001' };
  const failed = await app.send({ to, sms: BLOCKS.sms });
  const secret = await app.send({ sensitive: true, sms: BLOCKS.sms });
  await pipeline.settle();
  expect(await app.record(failed)).toHaveProperty('sms_failed_code');
  expect(await app.missing(failed)).toEqual({ SMS: BOTH });
  expect(await app.missing(secret)).toEqual({ SMS: BOTH });
});

it('names them of each step and each entry of a bulk request', async () => {
  const app = await setUp();
  const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT1H', when: 'always' }];
  const { email, sms } = BLOCKS;
  const stepped = await app.send({ email, sms, options: { steps } });
  const notifications = [{}, { parameters: { name: 'Ada' } }].map((each) => ({
    type: 'b',
    to: TO,
    sms,
    ...each,
  }));
  const { json } = await call(sendBulk, { key: app.key, body: { notifications } });
  await pipeline.settle();
  expect(await app.missing(stepped)).toEqual({ EMAIL: BOTH });
  await pipeline.goTo(pipeline.clock.nowMs + DAY_MS);
  expect(await app.missing(stepped)).toEqual({ EMAIL: BOTH, SMS: BOTH });
  const found = await Promise.all(
    json.results.map(({ trackingId }: { trackingId: string }) => app.missing(trackingId)),
  );
  expect(found).toEqual([{ SMS: BOTH }, { SMS: { missing: 'order.id', missing_count: 1 } }]);
});

it.each([true, false])('names them of a digest, with its own template: %s', async (hasTemplate) => {
  const hourly = { defaultDeliveryOption: 'hourly', hourly: { enabled: true } };
  const app = await setUp({ channels: ['SMS'], options: { SMS: hourly } });
  if (hasTemplate) {
    const text = '{% for each in _items %}{{ each.name }}{{ each.order.id }}{% endfor %}.';
    const path = { notificationId: 't', channel: 'SMS' };
    await call(createTemplate, { key: app.key, path, body: { templateId: 'd', text } });
  }
  const first = await app.send({ parameters: { name: 'Ada', order: { id: 7 } }, sms: BLOCKS.sms });
  await app.send({ parameters: { name: 'Bob' }, sms: BLOCKS.sms });
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + 2 * 3_600_000);
  const record = await app.record(first);
  expect(record.sms_routing).toBe('BATCH');
  const sent = pipeline.outbox.findLast(({ channel }) => channel === 'SMS');
  const name = hasTemplate ? '_items[].order.id' : 'order.id';
  const { trackingId = '' } = (sent?.message ?? {}) as { trackingId?: string };
  expect(await app.missing(trackingId)).toEqual({ SMS: { missing: name, missing_count: 1 } });
});
