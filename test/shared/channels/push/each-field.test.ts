import { expect, it } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { APNS_TOPIC } from '../../../support/fakes/apns.ts';
import { IDS } from './deliveries.ts';
import { startApns } from './start-apns.ts';
import { startFcm } from './start-fcm.ts';

type Aps = Record<string, unknown>;
const alert = { title: 'Shipped', body: 'Your order is on its way' };
const apsOnly = (aps: Aps) => ({
  fcm: { apns: { headers: { 'apns-push-type': 'alert', 'apns-priority': '10' }, payload: { aps } } },
  apns: { aps },
});
const header = (name: string, value: string) => ({
  fcm: {
    apns: {
      headers: { 'apns-push-type': 'alert', 'apns-priority': '10', [name]: value },
      payload: { aps: {} },
    },
  },
  headers: { [name]: value },
});
const androidOnly = (android: object) => ({ fcm: { android } });
const shown = (notification: object) => androidOnly({ notification });
const image = 'https://a.test/large.png';

type Expected = {
  fcm?: { notification?: object; data?: object; android?: object; apns?: object };
  apns?: { aps?: Aps; data?: object };
  headers?: Record<string, string>;
};

const FIELDS: [string, Partial<PushDelivery>, Expected][] = [
  [
    'a link',
    { url: 'https://a.test/7' },
    { fcm: { data: { link: 'https://a.test/7' } }, apns: { data: { link: 'https://a.test/7' } } },
  ],
  [
    'a link of an app',
    { url: 'shop://orders/7' },
    { fcm: { data: { link: 'shop://orders/7' } }, apns: { data: { link: 'shop://orders/7' } } },
  ],
  [
    'an image',
    { image },
    {
      fcm: {
        notification: { image },
        data: { image },
        apns: {
          headers: { 'apns-push-type': 'alert', 'apns-priority': '10' },
          payload: { aps: { 'mutable-content': 1 } },
          fcm_options: { image },
        },
      },
      apns: { aps: { 'mutable-content': 1 }, data: { image } },
    },
  ],
  [
    'custom data',
    { customData: { order: '7' } },
    { fcm: { data: { order: '7' } }, apns: { data: { order: '7' } } },
  ],
  ['a badge', { apn: { badge: 3 } }, apsOnly({ badge: 3 })],
  ['a badge of 0', { apn: { badge: 0 } }, apsOnly({ badge: 0 })],
  ['a sound', { apn: { sound: 'ping.caf' } }, apsOnly({ sound: 'ping.caf' })],
  ['a thread', { apn: { threadId: 't' } }, apsOnly({ 'thread-id': 't' })],
  ['a category', { apn: { category: 'ORDER' } }, apsOnly({ category: 'ORDER' })],
  [
    'an interruption level',
    { apn: { interruptionLevel: 'critical' } },
    apsOnly({ 'interruption-level': 'critical' }),
  ],
  ['mutable content', { apn: { mutableContent: true } }, apsOnly({ 'mutable-content': 1 })],
  ['no mutable content', { apn: { mutableContent: false } }, apsOnly({})],
  ['content available, with text', { apn: { contentAvailable: true } }, apsOnly({ 'content-available': 1 })],
  ['a collapse ID', { apn: { collapseId: 'order-7' } }, header('apns-collapse-id', 'order-7')],
  ['an expiry', { apn: { expiry: 0 } }, header('apns-expiration', '0')],
  ['a priority', { apn: { priority: 5 } }, header('apns-priority', '5')],
  ['an Android channel', { fcm: { android: { channelId: 'orders' } } }, shown({ channel_id: 'orders' })],
  ['an Android sound', { fcm: { android: { sound: 'ping' } } }, shown({ sound: 'ping' })],
  ['an Android icon', { fcm: { android: { icon: 'ic_order' } } }, shown({ icon: 'ic_order' })],
  ['an Android priority', { fcm: { android: { priority: 'normal' } } }, androidOnly({ priority: 'NORMAL' })],
  ['an Android key', { fcm: { android: { collapseKey: 'k' } } }, androidOnly({ collapse_key: 'k' })],
  [
    'an Android package',
    { fcm: { android: { restrictedPackageName: 'a.b' } } },
    androidOnly({ restricted_package_name: 'a.b' }),
  ],
  ['a time to live', { fcm: { android: { ttl: 0 } } }, androidOnly({ ttl: '0s' })],
];

it.each(FIELDS)(
  '%s alone adds to the requests of both services what they document',
  async (_, field, expected) => {
    const [{ fake, send: byFcm }, { production, send: byApns }] = [await startFcm(), await startApns()];
    expect([await byFcm(field), await byApns(field)]).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
    const { notification, data, ...more } = expected.fcm ?? {};
    expect(fake.messages).toEqual([
      { token: 'device-1', notification: { ...alert, ...notification }, data: { ...IDS, ...data }, ...more },
    ]);
    const [{ body, headers } = { body: undefined, headers: {} }] = production.requests;
    expect(body).toEqual({ aps: { alert, ...expected.apns?.aps }, ...IDS, ...expected.apns?.data });
    const own = Object.entries(headers).filter(([name]) => name.startsWith('apns-'));
    expect(Object.fromEntries(own)).toEqual({
      'apns-topic': APNS_TOPIC,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      ...expected.headers,
    });
  },
);

it('nothing makes a silent push visible on Android', async () => {
  const { fake, send } = await startFcm();
  const android = { channelId: 'orders', sound: 'ping', icon: 'ic', priority: 'high' };
  await send({ title: '', message: '', apn: { contentAvailable: true }, fcm: { android } });
  expect(fake.messages).toMatchObject([{ android: { priority: 'HIGH' }, data: IDS }]);
  expect(JSON.stringify(fake.messages)).not.toContain('"notification"');
});
