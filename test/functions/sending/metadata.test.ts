import { beforeEach, describe, expect, it } from 'vitest';
import { handler as saveAccount } from '../../../functions/account/update-account.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { eventBus } from '../../../shared/messaging/event-bus.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { WEBHOOK_EVENTS } from '../../../shared/schemas/logs/webhook.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
type Event = {
  eventType: string;
  trackingId: string;
  metadata?: object;
  trackingIds?: string[];
  data: object;
  reason?: string;
};
let events: { webhook: Event[]; bus: Event[] };
let key: string;
beforeEach(async () => {
  events = { webhook: [], bus: [] };
  key = account.secret.key;
  process.env.EVENT_BUS = 'events';
  replace(eventBus, () => ({
    put: async (list) => {
      events.bus.push(...list.map(({ detail }) => JSON.parse(detail)));
      return [];
    },
  }));
  replace(webhookClient, () => ({
    request: async ({ body }) => {
      events.webhook.push(JSON.parse(String(body)));
      return {
        kind: 'response',
        status: 200,
        headers: {},
        body: Buffer.from(''),
        truncated: false,
        durationMs: 1,
      };
    },
  }));
  const webhook = { webhook: 'https://app.example.com/hook', events: WEBHOOK_EVENTS };
  expect((await call(saveWebhook, { key, body: webhook })).status).toBe(200);
  return () => {
    delete process.env.EVENT_BUS;
  };
});

const metadata = { orderId: 'order-7', tenant: 'acme' };
const email = { subject: 'Hello', html: '<p>{{ orderId }}{{ metadata.orderId }}</p>' };
const to = { id: 'ada', email: 'ada@example.com' };
const post = async (handler: typeof send, body: object) => {
  const { status, json } = await call(handler, { key, body });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};
const eventsOf = (id: string, from = events.webhook) =>
  from.filter(({ trackingId }) => trackingId === id).toSorted((a, b) => (a.eventType < b.eventType ? -1 : 1));
/** The sandbox reports deliveries a moment later. */
const settle = async () => {
  await app.settle();
  await app.goTo(app.clock.nowMs + 60_000);
};
const logOf = (trackingId: string) => recordOf(account, trackingId);

it('is in the log, in every event of the webhook and the bus, and in no content', async () => {
  const { trackingId } = await post(send, { type: 'welcome', to, email, metadata });
  await settle();
  const named = (eventType: string) => ({ eventType, trackingId, metadata, data: { metadata } });
  for (const from of [events.webhook, events.bus]) {
    expect(eventsOf(trackingId, from)).toMatchObject([
      named('EMAIL_DELIVERED'),
      named('NOTIFICATION_ACCEPTED'),
    ]);
  }
  const log = await logOf(trackingId);
  expect(log).toMatchObject({ metadata, accepted_webhook_res: expect.stringContaining('"status":200') });
  expect(JSON.stringify(app.sentBy(account))).not.toContain('order-7');
  expect(app.errors).toEqual([]);
});

it('adds nothing to the events of a notification without metadata', async () => {
  const { trackingId } = await post(send, { type: 'welcome', to, email });
  await settle();
  const found = eventsOf(trackingId);
  expect(found).toHaveLength(2);
  for (const event of found) expect(event).not.toHaveProperty('metadata');
});

describe('metadata of other requests', () => {
  it.each([
    ['POST /email', sendEmail, { type: 'e', to: 'ada@example.com', subject: 's', html: 'h' }],
    ['POST /sms', sendSms, { type: 's', to: '+14155550123', message: 'm' }],
    ['a sensitive one', send, { type: 'secret', to, email, sensitive: true }],
  ])('is in log and events: %s', async (_, handler, body) => {
    const { trackingId } = await post(handler as typeof send, { ...body, metadata });
    await settle();
    expect(await logOf(trackingId)).toMatchObject({ metadata });
    const found = eventsOf(trackingId);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toMatchObject(found.map(() => ({ metadata })));
  });

  it('is of each entry in bulk', async () => {
    const notifications = ['1', '2'].map((id) => ({ type: 'welcome', to, email, metadata: { id } }));
    const { results } = await post(sendBulk as typeof send, { notifications });
    await settle();
    for (const [index, { trackingId }] of results.entries())
      expect(eventsOf(trackingId)).toMatchObject([
        { metadata: { id: String(index + 1) } },
        { metadata: { id: String(index + 1) } },
      ]);
  });

  it('is of the topic and of each of its members', async () => {
    await post(send, { type: 'first', to, email });
    await call(addTopicUsers, { key, path: { topicId: 'news' }, body: { userIds: ['ada'] } });
    const { trackingId } = await post(send, { type: 'news', to: { topic: 'news' }, email, metadata });
    await settle();
    expect(eventsOf(trackingId)).toMatchObject([
      { eventType: 'NOTIFICATION_ACCEPTED', userId: '', topic: 'news', metadata },
    ]);
    const ofMember = events.webhook.filter((each) => each.metadata && each.trackingId !== trackingId);
    expect(ofMember.map(({ eventType }) => eventType).sort()).toEqual([
      'EMAIL_DELIVERED',
      'NOTIFICATION_ACCEPTED',
    ]);
    expect(await logOf(ofMember[0]?.trackingId ?? '')).toMatchObject({ metadata });
  });

  it('is replaced with the body of a scheduled notification', async () => {
    const schedule = new Date(app.clock.nowMs + 3_600_000).toISOString();
    const { trackingId } = await post(send, { type: 'welcome', to, email, metadata, schedule });
    await settle();
    expect(eventsOf(trackingId)).toMatchObject([{ eventType: 'NOTIFICATION_ACCEPTED', metadata }]);
    const body = { metadata: { orderId: '8' } };
    expect((await call(reschedule, { key, path: { trackingId }, body })).status).toBe(200);
    await app.goTo(app.clock.nowMs + 3_700_000);
    await settle();
    expect(eventsOf(trackingId)).toMatchObject([
      { eventType: 'EMAIL_DELIVERED', metadata: { orderId: '8' } },
      { eventType: 'NOTIFICATION_ACCEPTED' },
    ]);
  });

  it('of a digest is what its notifications share', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'hourly', hourly: { enabled: true } } };
    const type = { notificationId: 'd', title: 'd', channels: ['EMAIL'], options };
    const created = await call(createType, { key, body: type });
    expect(created.status, JSON.stringify(created.json)).toBe(200);
    const delivered = async (...shown: (object | undefined)[]) => {
      const ids: string[] = [];
      for (const metadata of shown) {
        ids.push((await post(send, { type: 'd', to, email, metadata })).trackingId);
        app.clock.nowMs += 1;
      }
      await settle();
      await app.goTo(app.clock.nowMs + 2 * 3_600_000);
      await settle();
      const found = events.webhook.filter(({ trackingIds }) => trackingIds?.includes(ids[0] ?? ''));
      expect(found).toMatchObject([{ trackingIds: ids.toSorted() }]);
      expect(await logOf(ids.at(-1) ?? '')).toMatchObject({ metadata: shown.at(-1) });
      return found[0]?.metadata ?? {};
    };
    const [one, two] = ['1', '2'].map((orderId) => ({ orderId, tenant: 'acme' }));
    expect(await delivered(one, two)).toEqual({ tenant: 'acme' });
    expect(await delivered(undefined, two)).toEqual({});
  });
});

it('reports a channel that is not sent with its reason and the metadata', async () => {
  const { trackingId } = await post(send, { type: 'welcome', to: { id: 'eve' }, email, metadata });
  await settle();
  expect(eventsOf(trackingId)).toMatchObject([
    { eventType: 'EMAIL_FAILED', metadata },
    { eventType: 'NOTIFICATION_ACCEPTED', metadata },
    { eventType: 'NOTIFICATION_NOT_SENT', channel: 'EMAIL', reason: 'NO_ADDRESS', metadata },
  ]);
  expect(await logOf(trackingId)).toHaveProperty('email_withheld_webhook_res');
});

it('is erased with its user', async () => {
  const { trackingId } = await post(send, { type: 'welcome', to, email, metadata: { caseId: 'case-9' } });
  await settle();
  expect(await logOf(trackingId)).toHaveProperty('metadata');
  await call(deleteUser, { key, path: { userId: 'ada' } });
  await app.goTo(app.clock.nowMs + 3_600_000);
  expect(await logOf(trackingId)).not.toHaveProperty('metadata');
  expect((await everythingIn(app)).includes('case-9')).toBe(false);
});

it('stays where content is kept no longer', async () => {
  await call(saveAccount, { key, body: { contentDays: 1 } });
  const { trackingId } = await post(send, { type: 'welcome', to, email, metadata });
  await app.goTo(app.clock.nowMs + 2 * 86_400_000);
  const log = await logOf(trackingId);
  expect(log).toMatchObject({ metadata });
  expect(log).not.toHaveProperty('email_preview');
});

describe('refused metadata', () => {
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
  it.each([
    ['21 pairs', pairs(21), 'body.metadata must have at most 20 pairs'],
    ['more than 1 KB', { a: 'ü'.repeat(512) }, 'body.metadata must be at most 1 KB'],
    ['numbers', { a: 1 }, 'body.metadata.a must be text'],
    ['objects', { a: {} }, 'body.metadata.a must be text'],
    ['null', { a: null }, 'body.metadata.a must be text'],
    ['a text', 'a', 'body.metadata must be'],
    ['a list', ['a'], 'body.metadata must be'],
  ])('%s', async (_, value, message) => {
    const body = { type: 'welcome', to, email, metadata: value };
    const { status, json } = await call(send, { key, body });
    expect({ status, code: json.error.errors[0].path }).toEqual({
      status: 400,
      code: expect.stringMatching(/^metadata/),
    });
    expect(json.error.message).toContain(message);
  });

  it('accepts 20 pairs and 1 KB, and none', async () => {
    for (const metadata of [pairs(20), { ab: 'ü'.repeat(511) }, {}])
      expect(await post(send, { type: 'welcome', to, email, metadata })).toHaveProperty('trackingId');
  });
});
