import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { chunksOf } from '../../../shared/runtime/async/chunks.ts';
import { DEVICE } from '../../e2e/provider-world.ts';
import { APN_CONFIG } from '../../support/fakes/apns.ts';
import { buildServiceAccount } from '../../support/fakes/fcm.ts';
import { type Account, type Log, openAccount, until } from '../account.ts';
import type { World } from '../world.ts';

export const EMAIL = { subject: 'Hello', html: '<p>Hello</p>' };
const PREFIXES = ['email', 'inapp', 'sms', 'call', 'mobile_push', 'web_push', 'chat'];

/** One notification on seven channels, to the provider of each, with the receipts of those on AWS. */
export async function sevenChannels(world: World): Promise<void> {
  const account = await openAccount(world, 'seven-channels');
  const { providers } = world;
  await account.ask('PUT', '/settings/push/fcm', { fcmConfig: buildServiceAccount() });
  await account.ask('PUT', '/settings/push/apn', APN_CONFIG);
  const { userAccountMetadata } = (await account.ask('GET', '/users/account-metadata')).json;
  const subscription = providers.pushService.subscribe(userAccountMetadata.environmentVapidPublicKey);
  const text = randomUUID();
  const trackingId = await account.send({
    type: 'everything',
    to: {
      id: 'ada',
      email: 'ada@example.com',
      number: '+14155552671',
      pushTokens: [
        { type: 'FCM', token: text },
        { type: 'APN', token: DEVICE, environment: 'production' },
      ],
      webPushTokens: [subscription],
      chatChannel: '#general',
      chatToken: { access_token: 'xoxb-1' },
    },
    email: { subject: text, html: `<p>${text}</p>` },
    inapp: { title: text },
    sms: { message: text },
    call: { message: text },
    mobile_push: { title: text, message: text },
    web_push: { title: text, message: text },
    chat: { text },
    options: { email: { attachments: [{ filename: 'order.pdf', url: `${providers.files.url}/order.pdf` }] } },
  });
  const sent = PREFIXES.map((prefix) => `${prefix}_sent_at`);
  const log = await account.logged(
    trackingId,
    ...[...sent, 'email_delivered_at', 'sms_delivered_at', 'call_delivered_at'],
  );
  expect(Object.keys(log).filter((field) => field.includes('_failed_'))).toEqual([]);
  const email = world.emails().find(({ Content }) => Content.Simple?.Subject.Data === text);
  expect(email?.Content.Simple.Attachments).toMatchObject([{ FileName: 'order.pdf' }]);
  expect(providers.fcm.messages.map(({ token }) => token)).toContain(text);
  expect(JSON.stringify(providers.apns.requests.map(({ body }) => body))).toContain(text);
  expect(providers.pushService.messages.map((message) => message.text).join()).toContain(text);
  expect(providers.chat.posts.map((post) => post.text)).toContain(text);
  const phone = providers.awsSms.inputs().filter(({ input }) => String(input.MessageBody).includes(text));
  expect(phone.map(({ operation }) => operation).sort()).toEqual(['SendTextMessage', 'SendVoiceMessage']);
}

/** A schedule is changed to an earlier time and kept; another schedule with the same due time is cancelled. */
export async function schedules(world: World): Promise<void> {
  const account = await openAccount(world, 'schedules');
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  // Enough for a busy machine to cancel one first, and no longer than the stories beside it take.
  const soon = 20;
  const to = { id: 'ada', email: 'ada@example.com' };
  const [kept, cancelled] = await Promise.all([
    account.send({ type: 'later', to, email: EMAIL, schedule: inSeconds(3600) }),
    account.send({ type: 'later', to, email: EMAIL, schedule: inSeconds(soon) }),
  ]);
  const schedule = inSeconds(soon);
  await account.ask('PUT', `/sender/scheduler/${kept}`, { schedule });
  await account.ask('DELETE', `/sender/scheduler/${cancelled}`);
  await waiting(account);
  const { processed_at } = await account.logged(kept, 'email_sent_at');
  const lateMs = Date.parse(String(processed_at)) - Date.parse(schedule);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(10_000);
  expect(await account.log(cancelled)).toMatchObject({ schedule_deleted_at: expect.any(String) });
  expect(await account.log(cancelled)).not.toHaveProperty('email_sent_at');
}

/** What waits is listed by pages; one is sent at once, the other never. */
async function waiting(account: Account): Promise<void> {
  const schedule = new Date(Date.now() + 86_400_000).toISOString();
  const send = () =>
    account.send({ type: 'waiting', to: { id: 'bob', email: 'bob@example.com' }, email: EMAIL, schedule });
  const [hurried, dropped] = [await send(), await send()];
  const ids = new Map<string, string>();
  let cursor = '';
  do {
    const { json } = await account.ask(
      'GET',
      `/waiting?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { waitingId, trackingIds } of json.waiting) ids.set(trackingIds[0], waitingId);
    cursor = json.nextCursor ?? '';
  } while (cursor);
  await account.ask('PUT', `/waiting/${ids.get(hurried)}`, { until: 'now' });
  await account.ask('DELETE', `/waiting/${ids.get(dropped)}`);
  await account.logged(hurried, 'email_sent_at');
  expect(await account.log(dropped)).toMatchObject({ schedule_deleted_at: expect.any(String) });
}

/** A hundred notifications in one request are sent. */
export async function bulk(world: World): Promise<void> {
  const account = await openAccount(world, 'bulk');
  const notifications = Array.from({ length: 100 }, (_, index) => ({
    type: 'bulk',
    to: { id: `user-${index}` },
    inapp: { title: 'Hello' },
  }));
  const { results } = (await account.ask('POST', '/send/bulk', { notifications })).json;
  const ids: string[] = results.map(({ trackingId }: Log) => trackingId);
  expect(new Set(ids).size).toBe(100);
  await until('100 in-app notifications', async () => {
    const logs: Log[] = [];
    for (const part of chunksOf(ids, 25)) logs.push(...(await account.ask('GET', `/logs/${part}`)).json.logs);
    const sent = logs.filter(({ inapp_sent_at }) => inapp_sent_at).length;
    return { value: sent, isDone: sent === 100 };
  });
}

const MEMBERS = 1000;

/** A topic reaches its members page by page, and stops at once when it is cancelled. */
export async function topic(world: World): Promise<void> {
  const account = await openAccount(world, 'topic');
  await wholeTopic(account);
  const all = await sendToTopic(account, MEMBERS);
  await untilTopic(account, all, ({ topic_members }) => Number(topic_members) >= MEMBERS / 4);
  await account.ask('DELETE', `/sender/scheduler/${all}`);
  const { topic_members: reached } = await untilTopic(account, all, isCancelled);
  expect(Number(reached)).toBeLessThan(MEMBERS);
  await world.settle();
  expect(await account.log(all)).toMatchObject({ topic_state: 'cancelled', topic_members: reached });
}

const isCancelled = ({ topic_state }: Log) => topic_state === 'cancelled';

/** More members than one page of a fan-out has. */
export async function wholeTopic(account: Account): Promise<void> {
  const trackingId = await sendToTopic(account, 35);
  const log = await untilTopic(account, trackingId, ({ topic_state }) => topic_state === 'fanned_out');
  expect(log).toMatchObject({ topic_accepted: 35 });
}

async function sendToTopic(account: Account, members: number): Promise<string> {
  const ids = Array.from({ length: members }, (_, index) => `user-${String(index).padStart(4, '0')}`);
  for (const userIds of chunksOf(ids, 100))
    await account.ask('PUT', `/topics/of-${members}/users`, { userIds });
  return account.send({ type: 'news', to: { topic: `of-${members}` }, inapp: { title: 'News' } });
}

const untilTopic = (account: Account, trackingId: string, isDone: (log: Log) => boolean) =>
  until('the topic', async () => {
    const value = await account.log(trackingId);
    return { value, isDone: isDone(value) };
  });

/** Email fails over from one SMTP server to another. */
export async function failover(world: World): Promise<void> {
  const account = await openAccount(world, 'failover');
  await account.ask('PUT', '/settings/providers/EMAIL', { order: ['smtp', 'smtp:backup'] });
  const subject = randomUUID();
  world.providers.smtp.failNext({ at: 'greeting', code: 554, text: 'No service' });
  const trackingId = await account.send({
    type: 'failover',
    to: { id: 'ada', email: 'ada@example.com' },
    email: { subject, html: '<p><a href="https://shop.example.com/o/1">Order</a></p>' },
  });
  await account.logged(trackingId, 'email_sent_at');
  expect(mailedBy(world.backup, subject)).toHaveLength(1);
  expect(mailedBy(world.providers.smtp, subject)).toHaveLength(0);
  await openAndClick(world, account, trackingId, mailedBy(world.backup, subject)[0] ?? '');
}

const mailedBy = ({ emails }: World['backup'], subject: string): string[] =>
  emails.map(({ raw }) => raw.toString()).filter((raw) => raw.includes(subject));

/** The pixel and the links of an email over SMTP report what its reader does. */
async function openAndClick(world: World, account: Account, trackingId: string, raw: string): Promise<void> {
  const text = raw.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  const pathOf = (kind: string) => new RegExp(`/track/${kind}/[\\w.~-]+`).exec(text)?.[0] ?? '/none';
  expect((await world.request('GET', pathOf('open'))).status).toBe(200);
  // Nobody follows a link at once.
  const readAtMs = Date.now() + 3000;
  await until('time to read', async () => ({ value: readAtMs, isDone: Date.now() > readAtMs }));
  const { status, headers } = await world.request('GET', pathOf('click'));
  expect([status, headers.location]).toEqual([302, 'https://shop.example.com/o/1']);
  await account.logged(trackingId, 'email_opened_at', 'email_clicked_at');
}
