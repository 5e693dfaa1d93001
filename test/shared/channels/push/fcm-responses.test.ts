import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { fcmError } from '../../../support/fakes/fcm.ts';
import type { FakeReply } from '../../../support/fakes/http-fake.ts';
import { limitFor } from '../../../support/fakes/http-fake.ts';
import { startFcm } from './start-fcm.ts';

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
