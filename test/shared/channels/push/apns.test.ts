import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { APN_CONFIG, APNS_TOPIC, type ApnsReply } from '../../../support/fakes/apns.ts';
import { limitFor } from '../../../support/fakes/http-fake.ts';
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
    ['with the reserved key aps', { customData: { aps: 'x' } }],
    ['with a collapseId over 64 bytes', { apn: { collapseId: 'é'.repeat(40) } }],
    ['with a collapseId of two lines', { apn: { collapseId: 'a\nb' } }],
  ];
  test.each(refused)('%s is not sent and keeps the token', async (_name, overrides) => {
    const { production, send } = await startApns();
    expect(await send(overrides)).toMatchObject({ kind: 'rejected', code: 'UNKNOWN', dead: false });
    expect(production.sessionsOpened()).toBe(0);
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

describe('the APNs host', () => {
  const ios = 'c3'.repeat(32);
  const sent = { kind: 'sent' };

  test.each(['production', 'sandbox'] as const)(
    'is %s alone while the token that names it is good',
    async (environment) => {
      const { production, sandbox, send } = await startApns({ sandboxDevices: [DEVICE] });
      expect(await send({}, apnToken(DEVICE, { environment }))).toEqual(sent);
      const [used, other] = environment === 'sandbox' ? [sandbox, production] : [production, sandbox];
      expect([used.sessionsOpened(), other.sessionsOpened()]).toEqual([1, 0]);
    },
  );

  test.each([
    ['production', 'sandbox'],
    ['sandbox', 'production'],
  ] as const)('stated as %s falls back to %s, and the token stays', async (environment, actual) => {
    const hosts = await startApns();
    hosts[actual].devices.add(ios);
    expect(await hosts.send({}, apnToken(ios, { environment }))).toEqual(sent);
    expect(await hosts.send({}, apnToken(ios, { environment }))).toEqual(sent);
    expect(hosts[environment].requests.length + hosts[actual].requests.length).toBe(2);
  });

  test.each(['production', 'sandbox', undefined] as const)(
    'removes a token of %s that neither host knows',
    async (environment) => {
      const { send } = await startApns();
      const token = apnToken(ios, environment === undefined ? {} : { environment });
      expect(await send({}, token)).toMatchObject({ code: 'INVALID_APN_TOKEN', dead: true });
    },
  );

  test.each(['BadEnvironmentKeyIdInToken', 'BadEnvironmentKeyInToken'])(
    'is the other one when the key is rejected with %s',
    async (reason) => {
      const { production, sandbox, send } = await startApns({ sandboxDevices: [ios] });
      production.respondWith(ios, { status: 403, reason }, { status: 403, reason });
      expect(await send({}, apnToken(ios, { environment: 'production' }))).toEqual(sent);
      sandbox.devices.delete(ios);
      production.respondWith(ios, { status: 403, reason });
      expect(await send({}, apnToken(ios, { environment: 'production' }))).toMatchObject({ dead: false });
    },
  );

  test('removes a dead token although the key is not for the other host', async () => {
    const { sandbox, send } = await startApns();
    sandbox.respondWith(ios, { status: 403, reason: 'BadEnvironmentKeyIdInToken' });
    expect(await send({}, apnToken(ios, { environment: 'production' }))).toMatchObject({ dead: true });
  });

  test.each([undefined, 'undefined'])(
    'turns up when the environment is %s, and is cached',
    async (environment) => {
      const { production, sandbox, send } = await startApns({ sandboxDevices: [ios] });
      const token = apnToken(ios, environment === undefined ? {} : { environment });
      expect(await send({}, token)).toEqual(sent);
      production.respondWith(ios, { status: 500, reason: 'InternalServerError' });
      expect(await send({}, token)).toEqual(sent);
      expect(sandbox.requests).toHaveLength(2);
    },
  );

  test('removes the token only when neither host accepts it', async () => {
    const { send } = await startApns();
    expect(await send({}, apnToken(ios))).toMatchObject({ code: 'INVALID_APN_TOKEN', dead: true });
  });

  test('keeps the token when the sandbox cannot be reached', async () => {
    const { sandbox, send } = await startApns();
    sandbox.respondWith(ios, { status: 503, reason: 'ServiceUnavailable' });
    expect(await send({}, apnToken(ios))).toMatchObject({ kind: 'retry' });
  });

  test('changes to the other host when the app moved, even when one is cached', async () => {
    const { production, sandbox, send } = await startApns({ sandboxDevices: [ios] });
    await send({}, apnToken(ios));
    sandbox.devices.delete(ios);
    production.devices.add(ios);
    expect(await send({}, apnToken(ios))).toEqual(sent);
  });
});

describe('a response of APNs', () => {
  const savedAtMs = Date.UTC(2025, 11, 1);
  const dead = { kind: 'rejected', code: 'INVALID_APN_TOKEN', dead: true };
  const wrong = { kind: 'rejected', code: 'INVALID_APN_TOKEN', dead: false };
  const refused = { kind: 'rejected', code: 'UNKNOWN', dead: false };
  const later = { kind: 'retry', code: 'UNKNOWN' };
  const plain = (status: number, ...reasons: string[]): [string, ApnsReply][] =>
    reasons.map((reason) => [`${status} ${reason}`, { status, reason }]);
  const timed = (reason: string, timestamp: number): ApnsReply => ({ status: 410, reason, timestamp });
  const as = (expected: object, rows: [string, ApnsReply][]) =>
    rows.map(([name, reply]) => [name, reply, expected] as const);
  const rows = [
    ...as(dead, [
      ...plain(400, 'BadDeviceToken', 'MissingDeviceToken'),
      ['410 Unregistered after the save', timed('Unregistered', savedAtMs + 1)],
      ['410 ExpiredToken after the save', timed('ExpiredToken', savedAtMs + 1)],
    ]),
    ...as(wrong, [
      ...plain(400, 'DeviceTokenNotForTopic'),
      ['410 Unregistered before the save', timed('Unregistered', savedAtMs - 1)],
      ['410 Unregistered at the save', timed('Unregistered', savedAtMs)],
      ['410 without a timestamp', { status: 410, reason: 'Unregistered' }],
    ]),
    ...as(refused, [
      ...plain(403, 'InvalidProviderToken', 'MissingProviderToken', 'Forbidden', 'BadCertificate'),
      ...plain(403, 'BadCertificateEnvironment', 'InvalidSigningKey', 'UnrelatedKeyIdInToken'),
      ...plain(400, 'BadTopic', 'BadPriority', 'PayloadEmpty', 'BadCollapseId', 'TopicDisallowed'),
      ...plain(404, 'BadPath'),
      ...plain(405, 'MethodNotAllowed'),
      ...plain(413, 'PayloadTooLarge'),
      ['400 without a reason', { status: 400 }],
    ]),
    ...as(later, [
      ...plain(429, 'TooManyRequests', 'TooManyProviderTokenUpdates'),
      ...plain(500, 'InternalServerError'),
      ...plain(400, 'IdleTimeout'),
      ...plain(408, ''),
      ...plain(503, 'ServiceUnavailable', 'Shutdown'),
      ['GOAWAY', 'goaway'],
      ['a lost connection', 'drop'],
      ['no answer', 'hang'],
    ]),
  ];

  test.each(rows)('%s has the documented outcome', async (_name, reply, expected) => {
    const { production, send } = await startApns(limitFor(reply));
    production.respondWith(DEVICE, reply);
    const result = await send({}, apnToken(DEVICE, { environment: 'production', savedAtMs }));
    expect(result).toMatchObject(expected);
    expect(production.requests).toEqual([]);
  });

  test('410 removes the token only when it was invalid after it was registered', async () => {
    const { production, send } = await startApns();
    production.respondWith(DEVICE, timed('Unregistered', savedAtMs));
    expect(await send()).toMatchObject(dead);
  });

  test('leads to a retry after the time in Retry-After', async () => {
    const { production, send } = await startApns();
    production.respondWith(DEVICE, { status: 503, reason: 'Shutdown', headers: { 'retry-after': '12' } });
    expect(await send()).toMatchObject({ ...later, afterSeconds: 12 });
  });

  test('GOAWAY is reported with its reason', async () => {
    const { production, send } = await startApns();
    production.respondWith(DEVICE, 'goaway');
    expect(await send()).toMatchObject({ internal: 'APNs: GOAWAY {"reason":"Shutdown"}' });
  });

  test('always has a code that the channel lists', async () => {
    const { production, send } = await startApns();
    const reasons = fc.constantFrom(
      'BadDeviceToken',
      'Unregistered',
      'DeviceTokenNotForTopic',
      'toString',
      '',
    );
    const timestamps = fc.option(fc.integer(), { nil: 0 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 201, max: 599 }),
        reasons,
        timestamps,
        async (status, reason, timestamp) => {
          production.respondWith(DEVICE, { status: status === 204 ? 400 : status, reason, timestamp });
          const result = await send({}, apnToken(DEVICE, { environment: 'production' }));
          expect('code' in result && FAILURE_CODES.PUSH).toContain('code' in result ? result.code : '');
        },
      ),
      { numRuns: 60 },
    );
  });
});
