import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { APN_CONFIG, APNS_TOPIC } from '../../../support/fakes/apns.ts';
import { apnToken, buildPush, IDS } from './deliveries.ts';
import { DEVICE, startApns } from './start-apns.ts';

describe('an APNs notification', () => {
  test('carries every option under the names of APNs, over TLS', async () => {
    const { production, send } = await startApns({ secure: true });
    const options = {
      expiry: 1_800_000_000,
      priority: 5,
      collapseId: 'c1',
      threadId: 't1',
      badge: 0,
      sound: 'ping',
      mutableContent: true,
      category: 'order',
      interruptionLevel: 'time-sensitive',
    } as const;
    const url = 'https://a.test/orders/1';
    expect(await send({ apn: options, url, customData: { deep: 'link' } })).toEqual({ kind: 'sent' });
    const [request] = production.requests;
    expect(request?.body).toEqual({
      aps: {
        alert: { title: 'Shipped', body: 'Your order is on its way' },
        badge: 0,
        sound: 'ping',
        'thread-id': 't1',
        category: 'order',
        'interruption-level': 'time-sensitive',
        'mutable-content': 1,
      },
      ...IDS,
      link: url,
      deep: 'link',
    });
    expect(request?.headers).toMatchObject({
      'apns-topic': APNS_TOPIC,
      'apns-push-type': 'alert',
      'apns-priority': '5',
      'apns-expiration': '1800000000',
      'apns-collapse-id': 'c1',
    });
  });

  test('defaults to priority 10 and no expiration', async () => {
    const { production, send } = await startApns();
    await send();
    const headers = production.requests[0]?.headers ?? {};
    expect(headers['apns-priority']).toBe('10');
    expect(Object.keys(headers)).not.toContain('apns-expiration');
  });

  test.each([
    [undefined, 1_800_000_000_900, '1800000000'],
    [1_900_000_000, 1_800_000_000_900, '1800000000'],
    [1_700_000_000, 1_800_000_000_900, '1700000000'],
    [0, 1_800_000_000_900, '0'],
  ])('with an expiry of %s expires when quiet hours begin at %i', async (expiry, validUntilMs, expected) => {
    const { production, send } = await startApns();
    await send({ apn: expiry === undefined ? {} : { expiry }, validUntilMs });
    expect(production.requests[0]?.headers['apns-expiration']).toBe(expected);
  });

  test('arrives now or never with an expiry of 0', async () => {
    const { production, send } = await startApns();
    await send({ apn: { expiry: 0 } });
    expect(production.requests[0]?.headers['apns-expiration']).toBe('0');
  });

  test('is silent with contentAvailable and no text: background, priority 5, no alert, badge or sound', async () => {
    const { production, send } = await startApns();
    await send({
      title: '',
      message: '',
      apn: { contentAvailable: true, priority: 10, badge: 1, sound: 'x' },
      customData: { a: 'b' },
    });
    expect(production.requests[0]?.body).toEqual({ aps: { 'content-available': 1 }, ...IDS, a: 'b' });
    expect(production.requests[0]?.headers).toMatchObject({
      'apns-push-type': 'background',
      'apns-priority': '5',
    });
  });

  test('wakes the app and shows the text with contentAvailable and text', async () => {
    const { production, send } = await startApns();
    await send({ apn: { contentAvailable: true } });
    expect(production.requests[0]?.body).toMatchObject({
      aps: { alert: { title: 'Shipped' }, 'content-available': 1 },
    });
    expect(production.requests[0]?.headers).toMatchObject({
      'apns-push-type': 'alert',
      'apns-priority': '10',
    });
  });

  const refused: [string, Partial<PushDelivery>][] = [
    ['over 4096 bytes', { message: 'x'.repeat(4097) }],
    ['with the reserved key aps', { customData: { aps: 'x' } }],
    ['with a collapseId over 64 bytes', { apn: { collapseId: 'é'.repeat(40) } }],
    ['with a collapseId of two lines', { apn: { collapseId: 'a\nb' } }],
  ];
  test.each(refused)('%s is not sent and keeps the token', async (_name, overrides) => {
    const { production, send } = await startApns();
    expect(await send(overrides)).toMatchObject({ kind: 'rejected', code: 'UNKNOWN', dead: false });
    expect(production.sessionsOpened()).toBe(0);
  });

  test('passes with exactly 4096 bytes', async () => {
    const { production, send } = await startApns();
    const frame = JSON.stringify({ aps: { alert: { title: 'Shipped', body: '' } }, ...IDS }).length;
    expect(await send({ message: 'x'.repeat(4096 - frame) })).toEqual({ kind: 'sent' });
    expect(await send({ message: 'x'.repeat(4097 - frame) })).toMatchObject({ kind: 'rejected' });
    expect(production.requests).toHaveLength(1);
  });
});

describe('the APNs configuration', () => {
  const pem = (curve: string) =>
    generateKeyPairSync('ec', { namedCurve: curve })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
  const broken: [string, PushDelivery['apnConfig']][] = [
    ['is absent', undefined],
    ['has no key id', { ...APN_CONFIG, KeyId: '' }],
    ['has no team', { ...APN_CONFIG, TeamId: ' ' }],
    ['has no bundle id', { ...APN_CONFIG, Topic: '' }],
    ['has no key', { ...APN_CONFIG, Key: '' }],
    ['has a key that is none', { ...APN_CONFIG, Key: 'secret' }],
    ['has a key of another curve', { ...APN_CONFIG, Key: pem('P-384') }],
    ['has a bundle id of two lines', { ...APN_CONFIG, Topic: 'com.example\r\nx: y' }],
  ];

  test.each(broken)('%s is recorded as NO_APN_CONFIG and keeps the token', async (_name, apnConfig) => {
    const { production, createSender } = await startApns();
    const sender = createSender();
    const result = await sender.prepare(buildPush(apnConfig ? { apnConfig } : {}))(apnToken(DEVICE));
    expect(result).toMatchObject({ kind: 'rejected', code: 'NO_APN_CONFIG', dead: false });
    expect(production.sessionsOpened()).toBe(0);
  });
});
