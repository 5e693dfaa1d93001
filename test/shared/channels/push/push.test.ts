import { afterEach, describe, expect, test } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { createApnsSender } from '../../../../shared/channels/push/apns/apns.ts';
import { createFcmSender } from '../../../../shared/channels/push/fcm/fcm.ts';
import { createPushProvider } from '../../../../shared/channels/push/push.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { APN_CONFIG, startApnsFake } from '../../../support/fakes/apns.ts';
import { fcmError, startFcmFake } from '../../../support/fakes/fcm.ts';
import { HANG_MS } from '../../../support/until.ts';
import { apnToken, buildPush, fcmToken } from './deliveries.ts';

let nowMs = Date.now();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start() {
  const fcm = await startFcmFake();
  const apns = await startApnsFake({ devices: ['a1', 'a2'] });
  const apnsSender = createApnsSender({ productionUrl: apns.url, sandboxUrl: apns.url, now: Date.now });
  const provider = createPushProvider({
    now: () => nowMs,
    fcm: createFcmSender({
      baseUrl: fcm.url,
      tokenUrl: fcm.tokenUrl,
      http: createProviderClient({ timeoutMs: HANG_MS }),
      now: Date.now,
    }),
    apns: apnsSender,
  });
  closing.push(fcm.close, apns.close, apnsSender.close);
  const deliver = (overrides: Partial<PushDelivery>) =>
    provider.deliver(buildPush({ fcmConfig: fcm.serviceAccount, apnConfig: APN_CONFIG, ...overrides }));
  return { fcm, apns, deliver };
}

const unregistered = fcmError(404, 'NOT_FOUND', { errorCode: 'UNREGISTERED' });
const outage = (seconds: number) =>
  fcmError(503, 'UNAVAILABLE', { headers: { 'retry-after': String(seconds) } });

describe('a delivery to all tokens of a user', () => {
  test('reaches each token once at its own service and names the first', async () => {
    const { fcm, apns, deliver } = await start();
    const outcome = await deliver({
      tokens: [apnToken('a1'), fcmToken('f1'), fcmToken('f1'), apnToken('a2')],
    });
    expect(outcome).toEqual({ kind: 'sent', fields: { mobile_push_sent_token: 'a1' } });
    expect(fcm.messages.map(({ token }) => token)).toEqual(['f1']);
    expect(apns.requests.map(({ deviceToken }) => deviceToken).sort()).toEqual(['a1', 'a2']);
  });

  test('sends at most 50 concurrently', async () => {
    const { fcm, deliver } = await start();
    const tokens = Array.from({ length: 100 }, (_, index) => fcmToken(`f${index}`));
    expect(await deliver({ tokens })).toMatchObject({ kind: 'sent' });
    expect(fcm.messages).toHaveLength(100);
    expect(fcm.atOnceMax()).toBeLessThanOrEqual(50);
    expect(fcm.atOnceMax()).toBeGreaterThan(1);
  });

  test('waits without a call when the function has too little time', async () => {
    const { fcm, deliver } = await start();
    const tokens = Array.from({ length: 60 }, (_, index) => fcmToken(`f${index}`));
    expect(await deliver({ tokens, timeLeftMs: () => 14_000 })).toMatchObject({ kind: 'retry' });
    expect(fcm.messages).toEqual([]);
    const left = Array.from({ length: 50 }, () => 30_000);
    const timeLeftMs = () => left.pop() ?? 5_000;
    expect(await deliver({ tokens, timeLeftMs })).toMatchObject({
      kind: 'sent',
      remaining: {
        tokens: tokens.slice(50).map(({ token }) => token),
        fields: { mobile_push_failed_internal: 'the tokens before it took too long' },
      },
    });
    expect(fcm.messages).toHaveLength(50);
  });

  test('succeeds when one token was accepted; unregistered ones are named, failed ones noted, busy ones remain', async () => {
    const { fcm, deliver } = await start();
    fcm.respondWith('dead', unregistered);
    fcm.respondWith('foreign', fcmError(403, 'PERMISSION_DENIED', { errorCode: 'SENDER_ID_MISMATCH' }));
    fcm.respondWith('busy', outage(5));
    const tokens = ['dead', 'foreign', 'good', 'busy'].map(fcmToken);
    expect(await deliver({ tokens })).toEqual({
      kind: 'sent',
      fields: {
        mobile_push_sent_token: 'good',
        mobile_push_failed_token: 'foreign',
        mobile_push_failed_internal: 'FCM: 403 SENDER_ID_MISMATCH: no',
      },
      remaining: {
        tokens: ['busy'],
        afterSeconds: 5,
        fields: {
          mobile_push_failed_token: 'busy',
          mobile_push_failed_internal: 'FCM: 503 UNAVAILABLE: no',
        },
      },
      deadTokens: ['dead'],
    });
  });

  test('waits for the longest time when none was accepted and one can still succeed', async () => {
    const { fcm, deliver } = await start();
    fcm.respondWith('f1', outage(40));
    fcm.respondWith('f2', outage(20));
    fcm.respondWith('dead', unregistered);
    expect(await deliver({ tokens: [fcmToken('f1'), fcmToken('f2'), fcmToken('dead')] })).toEqual({
      kind: 'retry',
      code: 'UNKNOWN',
      internal: 'FCM: 503 UNAVAILABLE: no',
      afterSeconds: 40,
      fields: { mobile_push_failed_token: 'f2', mobile_push_failed_internal: 'FCM: 503 UNAVAILABLE: no' },
      deadTokens: ['dead'],
    });
  });

  test('fails with the last failure when all failed', async () => {
    const { fcm, deliver } = await start();
    fcm.respondWith('dead', unregistered);
    expect(await deliver({ tokens: [fcmToken('dead'), apnToken('unknown')] })).toEqual({
      kind: 'rejected',
      code: 'INVALID_APN_TOKEN',
      internal: 'APNs: 400 BadDeviceToken',
      fields: {
        mobile_push_failed_token: 'unknown',
        mobile_push_failed_internal: 'APNs: 400 BadDeviceToken',
      },
      deadTokens: ['dead', 'unknown'],
    });
  });

  test('needs only the configuration of the services of its tokens', async () => {
    const { deliver } = await start();
    const tokens = [fcmToken('f1')];
    expect(await deliver({ tokens, apnConfig: { ...APN_CONFIG, Key: '' } })).toMatchObject({ kind: 'sent' });
    expect(await deliver({ tokens, fcmConfig: '' })).toMatchObject({
      kind: 'rejected',
      code: 'NO_FCM_CONFIG',
    });
  });

  test('without tokens is rejected', async () => {
    const { deliver } = await start();
    expect(await deliver({ tokens: [] })).toMatchObject({ kind: 'rejected', code: 'UNKNOWN' });
  });

  test('rests a service that keeps failing, for its account only, while the other one sends', async () => {
    const { fcm, apns, deliver } = await start();
    fcm.respondWith('f1', ...Array.from({ length: 5 }, () => outage(1)));
    for (let count = 0; count < 5; count += 1)
      expect(await deliver({ tokens: [fcmToken('f1')] })).toMatchObject({ kind: 'retry' });
    const calls = fcm.messages.length;
    for (let count = 0; count < 20; count += 1)
      expect(await deliver({ tokens: [fcmToken('f1')] })).toMatchObject({
        kind: 'postponed',
        afterSeconds: 15,
        failure: { code: 'UNKNOWN', internal: 'FCM: it keeps failing' },
      });
    expect(await deliver({ tokens: [fcmToken('f1'), apnToken('a1')] })).toMatchObject({ kind: 'sent' });
    expect([fcm.messages.length - calls, apns.requests.length]).toEqual([0, 1]);
    expect(await deliver({ accountId: 'other', tokens: [fcmToken('f1')] })).toMatchObject({ kind: 'sent' });
    nowMs += 15_000;
    fcm.respondWith('f1', outage(1));
    const tried = await Promise.all([1, 2, 3].map(() => deliver({ tokens: [fcmToken('f1')] })));
    expect(tried.map(({ kind }) => kind)).toEqual(['retry', 'postponed', 'postponed']);
    nowMs += 29_000;
    expect(await deliver({ tokens: [fcmToken('f1')] })).toMatchObject({ kind: 'postponed', afterSeconds: 1 });
    nowMs += 1000;
    expect(await deliver({ tokens: [fcmToken('f1')] })).toMatchObject({ kind: 'sent' });
    expect(await deliver({ tokens: [fcmToken('f1')] })).toMatchObject({ kind: 'sent' });
  });
});
