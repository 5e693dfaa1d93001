import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFcmConfig } from '../../../../shared/channels/push/fcm/fcm-config.ts';
import { setting } from '../../../../shared/runtime/config.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { buildServiceAccount, FCM_PROJECT, fcmError } from '../../../support/fakes/fcm.ts';
import { type FakeReply, limitFor } from '../../../support/fakes/http-fake.ts';
import { buildPush, IDS } from './deliveries.ts';
import { startFcm } from './start-fcm.ts';

describe('an FCM message', () => {
  test('carries title, message, data and every android option under the names of FCM', async () => {
    const { fake, send } = await startFcm();
    const android = {
      collapseKey: 'c',
      priority: 'high',
      ttl: 3600,
      restrictedPackageName: 'com.example',
      channelId: 'orders',
      sound: 'ping',
      icon: 'ic_order',
    };
    const url = 'https://a.test/orders/1';
    const sent = await send({ fcm: { android }, url, customData: { deep: 'link', googleCalendarId: '7' } });
    expect(sent).toEqual({ kind: 'sent' });
    expect(fake.messages).toEqual([
      {
        token: 'device-1',
        notification: { title: 'Shipped', body: 'Your order is on its way' },
        data: { ...IDS, link: url, deep: 'link', googleCalendarId: '7' },
        android: {
          collapse_key: 'c',
          priority: 'HIGH',
          ttl: '3600s',
          restricted_package_name: 'com.example',
          notification: { channel_id: 'orders', sound: 'ping', icon: 'ic_order' },
        },
      },
    ]);
  });

  test('carries the options of Apple, the image included, for iPhones whose app uses Firebase', async () => {
    const { fake, send } = await startFcm();
    const apn = {
      expiry: 1_800_000_000,
      priority: 5,
      collapseId: 'c1',
      threadId: 't1',
      badge: 3,
      sound: 'ping.caf',
    } as const;
    await send({ apn, image: 'https://a.test/1.png' });
    expect(fake.messages[0]).toEqual({
      token: 'device-1',
      notification: {
        title: 'Shipped',
        body: 'Your order is on its way',
        image: 'https://a.test/1.png',
      },
      data: { ...IDS, image: 'https://a.test/1.png' },
      apns: {
        headers: {
          'apns-push-type': 'alert',
          'apns-priority': '5',
          'apns-expiration': '1800000000',
          'apns-collapse-id': 'c1',
        },
        payload: { aps: { badge: 3, sound: 'ping.caf', 'thread-id': 't1', 'mutable-content': 1 } },
        fcm_options: { image: 'https://a.test/1.png' },
      },
    });
  });

  test('is data only when it is silent', async () => {
    const { fake, send } = await startFcm();
    await send({
      title: '',
      message: '',
      apn: { contentAvailable: true, sound: 'x' },
      customData: { a: 'b' },
    });
    expect(fake.messages[0]).toEqual({
      token: 'device-1',
      data: { ...IDS, a: 'b' },
      apns: {
        headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
        payload: { aps: { 'content-available': 1 } },
      },
    });
  });

  test('carries IDs and nothing for one kind of device by default', async () => {
    const { fake, send } = await startFcm();
    await send({ customData: {}, fcm: {} });
    expect(Object.keys(fake.messages[0] ?? {})).toEqual(['token', 'notification', 'data']);
    expect(fake.messages[0]).toMatchObject({ data: IDS });
  });

  test.each([
    [undefined, 1800, '1800s', '1767227400'],
    [3600, 1800, '1800s', '1767227400'],
    [60, 1800, '60s', '1767227400'],
    [0, 1800, '0s', '1767227400'],
    [3600, undefined, '3600s', undefined],
    [undefined, undefined, undefined, undefined],
  ])(
    'with a ttl of %s, and %s seconds until quiet hours, is kept %s',
    async (ttl, seconds, kept, expires) => {
      const { fake, send, clock } = await startFcm();
      const validUntilMs = seconds && clock.nowMs + seconds * 1000;
      await send({ fcm: { android: ttl === undefined ? {} : { ttl } }, validUntilMs });
      const { android, apns } = (fake.messages[0] ?? {}) as {
        android?: { ttl?: string };
        apns?: { headers: Record<string, string> };
      };
      expect([android?.ttl, apns?.headers['apns-expiration']]).toEqual([kept, expires]);
    },
  );

  test.each(['from', 'message_type', 'aps', 'gcm.x', 'google.y', 'google'])(
    'must not use the reserved key %s',
    async (key) => {
      const { fake, send } = await startFcm();
      expect(await send({ customData: { [key]: 'x' } })).toMatchObject({
        kind: 'rejected',
        code: 'UNKNOWN',
        dead: false,
      });
      expect(fake.grants).toEqual([]);
    },
  );
});

describe('the FCM configuration', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const pem = (key: typeof elliptic) => key.export({ type: 'pkcs8', format: 'pem' });
  const broken: [string, string | undefined][] = [
    ['is absent', undefined],
    ['is not JSON', '{'],
    ['is JSON but no object', '"text"'],
    ['is of another type', buildServiceAccount({ type: 'authorized_user' })],
    ['has no project', buildServiceAccount({ project_id: '' })],
    ['has no email address', buildServiceAccount({ client_email: undefined })],
    ['has no key', buildServiceAccount({ private_key: null })],
    ['has a key that is none', buildServiceAccount({ private_key: 'secret' })],
    ['has a key of another kind', buildServiceAccount({ private_key: pem(elliptic) })],
    ['has a key that is too short', buildServiceAccount({ private_key: pem(short) })],
  ];

  test.each(broken)('%s is recorded as NO_FCM_CONFIG and keeps the token', async (_name, text) => {
    const { fake, sender } = await startFcm();
    const result = await sender.prepare(buildPush(text === undefined ? {} : { fcmConfig: text }))('device-1');
    expect(result).toMatchObject({ kind: 'rejected', code: 'NO_FCM_CONFIG', dead: false });
    expect(fake.grants).toEqual([]);
  });

  test('yields everything needed to sign', () => {
    const parsed = parseFcmConfig(buildServiceAccount());
    expect(parsed).toMatchObject({ ok: true, value: { projectId: FCM_PROJECT, privateKeyId: 'key-1' } });
  });

  test('does not repeat itself in its description', () => {
    const parsed = parseFcmConfig(buildServiceAccount({ project_id: '', private_key: 'TOPSECRET' }));
    expect(parsed).toEqual({ ok: false, problem: 'fcmConfig must have project_id' });
  });

  test('never determines where the assertion is sent', () => {
    expect(setting('FCM_TOKEN_URL')).toBe('https://oauth2.googleapis.com/token');
    const parsed = parseFcmConfig(buildServiceAccount({ token_uri: 'https://attacker.example/token' }));
    expect(JSON.stringify(parsed)).not.toContain('attacker');
  });
});

describe('an FCM access token', () => {
  test('serves concurrent and later messages until five minutes before it expires', async () => {
    const { fake, send, clock } = await startFcm();
    await Promise.all(Array.from({ length: 20 }, (_, index) => send({}, `device-${index}`)));
    clock.nowMs += (3599 - 301) * 1000;
    await send();
    expect(fake.grants).toHaveLength(1);
    clock.nowMs += 2000;
    await send();
    expect(fake.grants).toHaveLength(2);
  });

  test('changes once for all messages rejected with it', async () => {
    const { fake, send } = await startFcm();
    await send();
    fake.revokeAccessTokens();
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => send({}, `device-${index}`)));
    expect(results.every(({ kind }) => kind === 'sent')).toBe(true);
    expect(fake.grants).toHaveLength(2);
  });

  test('does not pass to another account that has the same service account and another key', async () => {
    const { fake, send } = await startFcm();
    await send();
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const fcmConfig = buildServiceAccount({ private_key: foreign.export({ type: 'pkcs8', format: 'pem' }) });
    expect(await send({ fcmConfig, accountId: 'account-2' })).toMatchObject({
      kind: 'rejected',
      code: 'UNKNOWN',
    });
    expect(fake.messages).toHaveLength(1);
  });

  test('rejected as invalid_grant is recorded as UNKNOWN and keeps the push token', async () => {
    const { fake, send } = await startFcm();
    fake.respondWith('token', {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT' },
    });
    expect(await send()).toEqual({
      kind: 'rejected',
      code: 'UNKNOWN',
      internal: 'token endpoint: 400 invalid_grant Invalid JWT',
      dead: false,
    });
    expect(await send()).toEqual({ kind: 'sent' });
  });

  const passing: [string, FakeReply, number | undefined][] = [
    ['503', { status: 503, headers: { 'retry-after': '7' } }, 7],
    ['429', { status: 429 }, undefined],
    ['a response without a token', { status: 200, body: {} }, undefined],
    ['a lost connection', 'drop', undefined],
    ['no answer', 'hang', undefined],
  ];
  test.each(passing)('comes with a later request after %s', async (_name, reply, afterSeconds) => {
    const { fake, send } = await startFcm(limitFor(reply));
    fake.respondWith('token', reply);
    const result = await send();
    expect(result).toMatchObject({ kind: 'retry', code: 'UNKNOWN' });
    expect(result.kind === 'retry' && result.afterSeconds).toBe(afterSeconds);
  });
});

describe('a response of FCM', () => {
  const dead = { kind: 'rejected', code: 'INVALID_FCM_TOKEN', dead: true };
  const wrong = { kind: 'rejected', code: 'INVALID_FCM_TOKEN', dead: false };
  const refused = { kind: 'rejected', code: 'UNKNOWN', dead: false };
  const later = (afterSeconds: number) => ({ kind: 'retry', code: 'UNKNOWN', afterSeconds });
  const retryAfter = (seconds: string) => ({ headers: { 'retry-after': seconds } });
  const invalid = (
    effect: string,
    expected: object,
    bodies: (Parameters<typeof fcmError>[2] & object)[],
  ): [string, FakeReply, object][] =>
    bodies.map((body) => [
      `400 ${effect} the token: ${JSON.stringify(body)}`,
      fcmError(400, 'INVALID_ARGUMENT', { errorCode: 'INVALID_ARGUMENT', ...body }),
      expected,
    ]);
  const rows: [string, FakeReply, object][] = [
    ['404 UNREGISTERED', fcmError(404, 'NOT_FOUND', { errorCode: 'UNREGISTERED' }), dead],
    ...invalid('removes', dead, [
      { fields: ['message.token'] },
      { fields: ['message.token'], errorCode: undefined },
      { fields: ['message.data[0].value', 'message.token'] },
      { message: 'The registration token is not a valid FCM registration token' },
      { message: 'The registration token is not valid.' },
      { message: 'Invalid registration token provided.' },
    ]),
    ...invalid('keeps', refused, [
      {},
      { errorCode: undefined },
      { fields: [] },
      { message: 'Request contains an invalid argument.' },
      { message: 'Invalid package name for the registration token.' },
      { message: 'Invalid data payload key: from' },
      { message: 'TTL must be between 0 and 2419200 seconds' },
      { message: 'Android message is too big' },
      { fields: ['message.android.ttl'], errorCode: undefined },
      { fields: ['message.android.restricted_package_name'] },
      { fields: ['message.data[0].value'] },
      { fields: ['message'], message: 'The registration token is not valid.' },
    ]),
    [
      '403 SENDER_ID_MISMATCH',
      fcmError(403, 'PERMISSION_DENIED', { errorCode: 'SENDER_ID_MISMATCH' }),
      wrong,
    ],
    [
      '401 THIRD_PARTY_AUTH_ERROR',
      fcmError(401, 'UNAUTHENTICATED', { errorCode: 'THIRD_PARTY_AUTH_ERROR' }),
      refused,
    ],
    ['403 PERMISSION_DENIED', fcmError(403, 'PERMISSION_DENIED'), refused],
    ['404 of a wrong project', fcmError(404, 'NOT_FOUND'), refused],
    ['404 without a body', { status: 404 }, refused],
    [
      '429 without Retry-After',
      fcmError(429, 'RESOURCE_EXHAUSTED', { errorCode: 'QUOTA_EXCEEDED' }),
      later(60),
    ],
    [
      '429 with a shorter Retry-After',
      fcmError(429, 'RESOURCE_EXHAUSTED', { errorCode: 'QUOTA_EXCEEDED', ...retryAfter('5') }),
      later(60),
    ],
    [
      '429 with a longer Retry-After',
      fcmError(429, 'RESOURCE_EXHAUSTED', { errorCode: 'QUOTA_EXCEEDED', ...retryAfter('90') }),
      later(90),
    ],
    ['429 without a body', { status: 429 }, later(60)],
    ['503 UNAVAILABLE', fcmError(503, 'UNAVAILABLE', { errorCode: 'UNAVAILABLE' }), later(10)],
    ['503 with Retry-After', fcmError(503, 'UNAVAILABLE', retryAfter('33')), later(33)],
    ['503 with an absurd Retry-After', fcmError(503, 'UNAVAILABLE', retryAfter('999999')), later(3600)],
    ['500 INTERNAL', fcmError(500, 'INTERNAL', { errorCode: 'INTERNAL' }), later(10)],
    ['408 of a proxy', { status: 408 }, later(10)],
    ['502 of a proxy', { status: 502, body: '<html>' }, later(10)],
    ['no answer', 'hang', later(10)],
    ['a lost connection', 'drop', later(10)],
  ];

  test.each(rows)('%s has the documented outcome', async (_name, reply, expected) => {
    const { fake, send } = await startFcm(limitFor(reply));
    fake.respondWith('device-1', reply);
    expect(await send()).toMatchObject(expected);
    expect(fake.messages).toEqual([]);
  });

  test('doubles the wait with each attempt during an outage', async () => {
    const { fake, send } = await startFcm();
    fake.respondWith('device-1', ...Array.from({ length: 4 }, () => fcmError(503, 'UNAVAILABLE')));
    const waits: unknown[] = [];
    for (const attempt of [1, 2, 3, 40]) waits.push(await send({ attempt }));
    expect(waits.map((wait) => (wait as { afterSeconds: number }).afterSeconds)).toEqual([10, 20, 40, 2560]);
  });

  test('401 twice is recorded as UNKNOWN, after one new access token', async () => {
    const { fake, send } = await startFcm();
    fake.respondWith('device-1', fcmError(401, 'UNAUTHENTICATED'), fcmError(401, 'UNAUTHENTICATED'));
    expect(await send()).toMatchObject(refused);
    expect(fake.grants).toHaveLength(2);
  });

  test('never contains the device token in its description', async () => {
    const { fake, send } = await startFcm();
    fake.respondWith('device-1', fcmError(400, 'INVALID_ARGUMENT', { message: 'bad' }));
    expect(JSON.stringify(await send())).not.toContain('device-1');
  });

  test('always has a code that the channel lists', async () => {
    const { fake, send } = await startFcm();
    const names = fc.constantFrom(
      'UNREGISTERED',
      'INVALID_ARGUMENT',
      'INTERNAL',
      'NOT_FOUND',
      'toString',
      '',
    );
    let devices = 0;
    // Those have no body, or make fetch ask again.
    const statuses = fc.integer({ min: 300, max: 599 }).filter((status) => ![304, 421].includes(status));
    await fc.assert(
      fc.asyncProperty(statuses, names, names, fc.string(), async (status, name, errorCode, noise) => {
        // A separate device: a 401 uses up the next reply too.
        const device = `device-${devices++}`;
        const outage = { status: 500, body: noise };
        fake.respondWith(device, fcmError(status, name, { errorCode, message: noise }), outage, outage);
        for (const result of [await send({}, device), await send({}, device)]) {
          expect('code' in result && FAILURE_CODES.PUSH).toContain('code' in result ? result.code : '');
        }
      }),
      { numRuns: 60 },
    );
  });
});
