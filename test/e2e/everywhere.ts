import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Outage } from '../support/fakes/outage.ts';
import type { LocalRun } from '../support/local-run.ts';
import { until } from '../support/until.ts';
import { ask, expectNothingDead, recordWith } from './ask.ts';
import { DEVICE, type ProviderWorld } from './provider-world.ts';

/** Domain of the sender of all messages. */
export const SENDER = 'news.example.com';

/** A user whom all seven channels reach. */
export async function reachable(world: ProviderWorld, run: LocalRun) {
  const { userAccountMetadata } = await ask(run, '/users/account-metadata');
  const id = `user-${randomUUID()}`;
  const subscription = world.pushService.subscribe(userAccountMetadata.environmentVapidPublicKey);
  const fcmToken = `fcm-${randomUUID()}`;
  const to = {
    id,
    email: `${id}@example.com`,
    number: '+14155552671',
    pushTokens: [
      { type: 'FCM', token: fcmToken },
      { type: 'APN', token: DEVICE, environment: 'production' },
    ],
    webPushTokens: [subscription],
    chatChannel: '#general',
    chatToken: { access_token: 'xoxb-1' },
  };
  return { to, fcmToken, endpoint: subscription.sub.endpoint };
}

export type Reachable = Awaited<ReturnType<typeof reachable>>;

const CHANNELS = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'];
const PREFIXES = ['email', 'inapp', 'sms', 'call', 'mobile_push', 'web_push', 'chat'];

/** A link in each email, and its tags. */
export const LINK = 'https://shop.example.com/o/1?a=1&b=2';
export const LINK_TAGS = { place: ['footer'] };
const LINK_HTML = '<a ses:tags="place:footer" href="https://shop.example.com/o/1?a=1&amp;b=2">Order</a>';

/** Sends on all seven channels; `text` identifies the message. */
export async function sendTo(
  world: ProviderWorld,
  run: LocalRun,
  { to }: Reachable,
  text: string,
): Promise<string> {
  const { trackingId } = await ask(run, '/send', {
    type: 'order-update',
    to,
    forceChannels: CHANNELS,
    email: { subject: text, html: `<p>${text}</p>${LINK_HTML}`, previewText: 'In short' },
    inapp: { title: text },
    sms: { message: text },
    call: { message: `${text} & <more>` },
    mobile_push: { title: text, message: 'm' },
    web_push: { title: text, message: 'm' },
    chat: { text, icon: ':wave:', username: 'Shop' },
    options: {
      email: {
        fromAddress: `shop@${SENDER}`,
        fromName: 'Shop',
        ccAddresses: ['c@example.com'],
        replyToAddresses: ['help@example.com'],
        attachments: [{ filename: 'order.pdf', url: `${world.files.url}/order.pdf` }],
      },
      apn: { collapseId: 'order', threadId: 'orders', badge: 3, sound: 'ping', expiry: 1_800_000_000 },
      fcm: { android: { collapseKey: 'order', priority: 'high', ttl: 3600 } },
      push: { customData: { orderId: '7' } },
    },
  });
  return trackingId;
}

export const sentFields = PREFIXES.map((prefix) => `${prefix}_sent_at`);

/** Messages accepted by the providers that both runs share. */
function takenByShared(world: ProviderWorld, { fcmToken, endpoint }: Reachable, text: string) {
  return {
    fcm: world.fcm.messages.filter(({ token }) => token === fcmToken),
    apns: world.apns.requests.filter(({ body }) => JSON.stringify(body).includes(text)),
    webPush: world.pushService.messages.filter((message) => message.endpoint === endpoint),
    chat: world.chat.posts.filter((post) => post.text === text),
  };
}

export function expectShared(world: ProviderWorld, user: Reachable, text: string): void {
  const taken = takenByShared(world, user, text);
  expect(taken.fcm).toEqual([
    {
      token: user.fcmToken,
      notification: { title: text, body: 'm' },
      data: { orderId: '7', notificationId: 'order-update', trackingId: expect.any(String) },
      android: { collapse_key: 'order', priority: 'HIGH', ttl: '3600s' },
      apns: {
        headers: {
          'apns-collapse-id': 'order',
          'apns-expiration': expect.any(String),
          'apns-priority': '10',
          'apns-push-type': 'alert',
        },
        payload: { aps: { badge: 3, sound: 'ping', 'thread-id': 'orders' } },
      },
    },
  ]);
  expect(taken.apns).toHaveLength(1);
  expect(taken.apns[0]).toMatchObject({
    deviceToken: DEVICE,
    headers: { 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-collapse-id': 'order' },
    body: {
      aps: { alert: { title: text, body: 'm' }, badge: 3, sound: 'ping', 'thread-id': 'orders' },
      orderId: '7',
    },
  });
  expect(taken.webPush.map((message) => JSON.parse(message.text))).toMatchObject([
    { title: text, message: 'm' },
  ]);
  expect(taken.chat).toMatchObject([{ channel: 'C0GENERAL', icon_emoji: ':wave:', username: 'Shop' }]);
}

/** FCM and SES are left alone for some seconds after they failed: the clock goes there when the others are done. */
async function recordAfterBreaks(run: LocalRun, trackingId: string) {
  const others = sentFields.filter((field) => !['mobile_push_sent_at', 'email_sent_at'].includes(field));
  await recordWith(run, trackingId, others);
  await ask(run, '/_sandbox/clock', { advance: 'PT15S' });
  return recordWith(run, trackingId, sentFields);
}

/** Lets the next call of each provider that both runs share end without a response. */
function breakShared(world: ProviderWorld, { fcmToken, endpoint }: Reachable): void {
  world.fcm.respondWith(fcmToken, 'drop');
  world.apns.respondWith(DEVICE, 'drop');
  world.pushService.respondWith(endpoint, 'drop');
  world.chat.respondWith('chat.postMessage', 'drop');
}

/** Sends on all channels while the next call of every provider breaks off: each message arrives. */
export async function expectUnbroken(
  world: ProviderWorld,
  run: LocalRun,
  user: Reachable,
  text: string,
): Promise<void> {
  breakShared(world, user);
  const trackingId = await sendTo(world, run, user, text);
  expectNoFailure(await recordAfterBreaks(run, trackingId));
  expectShared(world, user, text);
  await expectNothingDead(run);
}

/**
 * Sends on all channels while every provider dies in the middle of it, stays away for half a minute of tries, and comes
 * back: each message arrives.
 */
export async function expectSurvival(
  world: ProviderWorld,
  run: LocalRun,
  user: Reachable,
  { text, outages }: { text: string; outages: Outage[] },
): Promise<void> {
  const { fcm, apns, pushService, chat } = world;
  const all = [...outages, ...[fcm, apns, pushService, chat].map(({ outage }) => outage)];
  for (const outage of all) outage.dieAtNextCall();
  const trackingId = await sendTo(world, run, user, text);
  await until(() => all.every((outage) => outage.isDown()), 'the outages');
  await ask(run, '/_sandbox/clock', { advance: 'PT30S' });
  for (const outage of all) await outage.comeBack();
  await ask(run, '/_sandbox/clock', { advance: 'PT3M' });
  expectNoFailure(await recordWith(run, trackingId, sentFields));
  expectShared(world, user, text);
  await expectNothingDead(run);
}

function expectNoFailure(record: object): void {
  expect(Object.keys(record).filter((field) => field.endsWith('_failed_at'))).toEqual([]);
}
