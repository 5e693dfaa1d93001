import { Agent } from 'node:https';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import webPush from 'web-push';
import type { WebPushDelivery } from '../../../../shared/channels/channel.ts';
import { createWebPushProvider } from '../../../../shared/channels/web-push/web-push.ts';
import { generateVapidPair } from '../../../../shared/encryption/vapid.ts';
import { createFairClient } from '../../../../shared/http-client/fair-client.ts';
import { createGuardedClient, type GuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import type { FakeReply } from '../../../support/fakes/http-fake.ts';
import { limitFor } from '../../../support/fakes/http-fake.ts';
import { startPushService } from '../../../support/fakes/push-service.ts';
import { makeCertificate } from '../../http-client/certificate.ts';
import { DELIVERY_BASE } from '../delivery-base.ts';

const vapid = { ...generateVapidPair(), subject: 'mailto:ops@example.com' };
const [GONE] = FAILURE_CODES.WEB_PUSH;

async function start(options: { timeoutMs?: number; allowed?: boolean } = {}) {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const service = await startPushService();
  onTestFinished(service.close);
  const client = createGuardedClient({
    allowedHosts: new Set(options.allowed === false ? [] : [service.host]),
  });
  const guarded: GuardedClient = {
    request: (input) =>
      client.request({ ...input, ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}) }),
  };
  const provider = createWebPushProvider({ guarded: createFairClient(guarded, { now }), now });
  const deliver = (overrides: Partial<WebPushDelivery>) =>
    provider.deliver({
      ...DELIVERY_BASE,
      subscriptions: [],
      title: 'Shipped',
      message: 'Your order is on its way ✓',
      vapid,
      ...overrides,
    });
  return { service, deliver, clock };
}

describe('the fake push service', () => {
  test('works with the sender of the web-push library', async () => {
    const tls = makeCertificate('localhost');
    const service = await startPushService({ tls });
    onTestFinished(service.close);
    const { sub } = service.subscribe(vapid.publicKey);
    const options = { vapidDetails: vapid, agent: new Agent({ ca: tls.cert }) };
    expect(await webPush.sendNotification(sub, 'hello', options)).toMatchObject({ statusCode: 201 });
    expect(service.messages.map(({ text }) => text)).toEqual(['hello']);
    service.expire(sub.endpoint);
    await expect(webPush.sendNotification(sub, 'hello', options)).rejects.toMatchObject({ statusCode: 410 });
  });
});

describe('a web push message', () => {
  test('reaches the subscriber with everything the service worker needs', async () => {
    const { service, deliver } = await start();
    const subscription = service.subscribe(vapid.publicKey);
    const outcome = await deliver({
      subscriptions: [subscription],
      icon: 'https://example.com/i.png',
      url: 'https://example.com/orders/1',
    });
    expect(outcome).toEqual({ kind: 'sent', fields: { web_push_sent_token: subscription.sub.endpoint } });
    expect(JSON.parse(service.messages[0]?.text ?? '')).toEqual({
      title: 'Shipped',
      message: 'Your order is on its way ✓',
      icon: 'https://example.com/i.png',
      url: 'https://example.com/orders/1',
      trackingId: 'tracking-1',
      notificationId: 'order_shipped',
    });
    expect(service.messages[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'normal' });
  });

  test('carries image, badge, tag and actions in its data, and topic, urgency and lifetime in its headers', async () => {
    const { service, deliver } = await start();
    const subscriptions = [service.subscribe(vapid.publicKey)];
    const shown = {
      image: 'https://example.com/large.png',
      badge: '/badge.png',
      tag: 'order-1',
      actions: [{ action: 'track', title: 'Track', url: '/orders/1/track' }],
    };
    await deliver({ subscriptions, ...shown, options: { topic: 'order-1', ttl: 60 }, isUrgent: true });
    await deliver({ subscriptions, options: { urgency: 'very-low', ttl: 0 }, isUrgent: true });
    expect(JSON.parse(service.messages[0]?.text ?? '')).toMatchObject(shown);
    expect(service.messages.map(({ headers }) => [headers.topic, headers.urgency, headers.ttl])).toEqual([
      ['order-1', 'high', '60'],
      [undefined, 'very-low', '0'],
    ]);
  });

  test.each([
    [1800, '1800'],
    [200_000, '86400'],
    [-5, '1'],
  ])('is kept until quiet hours begin in %i seconds', async (seconds, ttl) => {
    const { service, deliver, clock } = await start();
    const subscriptions = [service.subscribe(vapid.publicKey)];
    await deliver({ subscriptions, validUntilMs: clock.nowMs + seconds * 1000 });
    expect(service.messages[0]?.headers).toMatchObject({ ttl });
  });

  test('passes with 4096 encrypted bytes', async () => {
    const { service, deliver } = await start();
    const subscriptions = [service.subscribe()];
    await deliver({ subscriptions, message: '' });
    const room = 3993 - (service.messages[0]?.text.length ?? 0);
    expect(await deliver({ subscriptions, message: 'x'.repeat(room) })).toMatchObject({ kind: 'sent' });
    expect(service.messages).toHaveLength(2);
  });
});

describe('the VAPID header', () => {
  const tokenOf = (headers: { authorization?: string | undefined } | undefined) =>
    /t=([^,]+)/.exec(headers?.authorization ?? '')?.[1] ?? '';

  test('lasts for a push service and changes before its 12 hours are over', async () => {
    const { service, deliver, clock } = await start();
    const subscriptions = [service.subscribe(), service.subscribe()];
    await deliver({ subscriptions: subscriptions.slice(0, 1) });
    const startedAtMs = clock.nowMs;
    await deliver({ subscriptions });
    clock.nowMs += 11 * 60 * 60_000;
    await deliver({ subscriptions: subscriptions.slice(0, 1) });
    const [first = '', second, third, renewed] = service.messages.map(({ headers }) => tokenOf(headers));
    expect([second, third]).toEqual([first, first]);
    expect(renewed).not.toBe(first);
    const { aud, exp = 0, sub } = decodeJwt(first);
    expect([aud, sub]).toEqual([service.url, 'mailto:ops@example.com']);
    expect(exp * 1000 - startedAtMs).toBeGreaterThan(11 * 60 * 60_000);
  });

  test('never comes from another environment', async () => {
    const { service, deliver } = await start();
    const other = { ...generateVapidPair(), subject: 'mailto:ops@example.com' };
    await deliver({ subscriptions: [service.subscribe(vapid.publicKey)] });
    expect(
      await deliver({ subscriptions: [service.subscribe(other.publicKey)], vapid: other }),
    ).toMatchObject({
      kind: 'sent',
    });
  });

  const MADE_WITH_ANOTHER: [string, number, string][] = [
    [
      'Chrome',
      403,
      'the VAPID credentials in the authorization header do not correspond to the credentials used',
    ],
    ['Apple', 400, '{"reason":"VapidPkHashMismatch"}'],
    ['Mozilla', 401, '{"code":401,"errno":109,"error":"Unauthorized","message":"VAPID public key mismatch"}'],
    ['an old Chrome', 400, 'UnauthorizedRegistration'],
    ['a Firebase sender', 403, 'the key in the authorization header does not correspond to the sender ID'],
  ];

  test.each(MADE_WITH_ANOTHER)(
    'of another pair than the subscription ends it at %s',
    async (_name, status, body) => {
      const { service, deliver } = await start();
      const subscription = service.subscribe();
      service.respondWith(subscription.sub.endpoint, { status, body });
      const outcome = await deliver({ subscriptions: [subscription] });
      const deadTokens = [subscription.sub.endpoint];
      expect(outcome).toMatchObject({ kind: 'rejected', code: GONE, deadTokens });
    },
  );

  test('of a pair that was replaced reaches the subscriptions that were made with it, each once', async () => {
    const { service, deliver } = await start();
    const formerVapids = [1, 2].map(() => ({ ...generateVapidPair(), subject: vapid.subject }));
    const pairs = [vapid, ...formerVapids].map(({ publicKey }) => publicKey);
    const subscriptions = pairs.map((key) => service.subscribe(key));
    const foreign = service.subscribe(generateVapidPair().publicKey);
    const outcome = await deliver({ subscriptions: [...subscriptions, foreign], formerVapids });
    expect(outcome).toMatchObject({ kind: 'sent', deadTokens: [foreign.sub.endpoint] });
    expect(service.messages.map(({ endpoint }) => endpoint).sort()).toEqual(
      subscriptions.map(({ sub }) => sub.endpoint).sort(),
    );
  });

  test.each([403, 401, 400])(
    'is no reason to end a subscription at a %i that names another',
    async (status) => {
      const { service, deliver } = await start();
      const subscription = service.subscribe();
      service.respondWith(subscription.sub.endpoint, { status, body: 'invalid JWT provided' });
      const outcome = await deliver({ subscriptions: [subscription] });
      expect(outcome).toMatchObject({ kind: 'rejected', code: 'UNKNOWN' });
      expect(outcome).not.toHaveProperty('deadTokens');
    },
  );
});

describe('a response of a push service', () => {
  const later = { kind: 'retry', code: 'UNKNOWN' };
  const refused = { kind: 'rejected', code: 'UNKNOWN' };
  const gone = { kind: 'rejected', code: GONE };
  const rows: [string, FakeReply, object, boolean][] = [
    ['201', { status: 201 }, { kind: 'sent' }, false],
    ['202', { status: 202 }, { kind: 'sent' }, false],
    ['404', { status: 404 }, gone, true],
    ['410', { status: 410 }, gone, true],
    ['429', { status: 429, headers: { 'retry-after': '30' } }, { ...later, afterSeconds: 30 }, false],
    [
      '503 with an absurd wait',
      { status: 503, headers: { 'retry-after': '99999' } },
      { ...later, afterSeconds: 3600 },
      false,
    ],
    ['406 of Windows', { status: 406 }, later, false],
    [
      '406 with a wait',
      { status: 406, headers: { 'retry-after': '7' } },
      { ...later, afterSeconds: 7 },
      false,
    ],
    ['408', { status: 408 }, later, false],
    ['425', { status: 425 }, later, false],
    ['500', { status: 500 }, later, false],
    ['503', { status: 503 }, later, false],
    ['no answer', 'hang', later, false],
    ['a lost connection', 'drop', later, false],
    ['400', { status: 400 }, refused, false],
    ['401', { status: 401 }, refused, false],
    ['403', { status: 403 }, refused, false],
    ['413', { status: 413 }, refused, false],
    ['a redirect', { status: 307, headers: { location: 'https://example.com' } }, refused, false],
  ];

  test.each(rows)('%s has the documented outcome', async (_name, reply, expected, dead) => {
    const { service, deliver } = await start(limitFor(reply));
    const subscription = service.subscribe();
    const { endpoint } = subscription.sub;
    service.respondWith(endpoint, reply);
    const outcome = await deliver({ subscriptions: [subscription] });
    expect(outcome).toMatchObject(expected);
    expect(outcome.deadTokens).toEqual(dead ? [endpoint] : undefined);
    if (outcome.kind === 'rejected') expect(outcome.fields?.web_push_failed_token).toBe(endpoint);
  });

  test('always has a code that the channel lists', async () => {
    const { service, deliver } = await start();
    const subscription = service.subscribe();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 300, max: 599 }), fc.string(), async (status, body) => {
        service.respondWith(subscription.sub.endpoint, { status: status === 304 ? 303 : status, body });
        const outcome = await deliver({ subscriptions: [subscription] });
        expect('code' in outcome && FAILURE_CODES.WEB_PUSH).toContain('code' in outcome ? outcome.code : '');
      }),
      { numRuns: 60 },
    );
  });
});

describe('a web push subscription', () => {
  test('counts as UNKNOWN with an endpoint that is not allowed, stays, and gets no request', async () => {
    const { service, deliver } = await start({ allowed: false });
    const outcome = await deliver({ subscriptions: [service.subscribe()] });
    expect(outcome).toMatchObject({
      kind: 'rejected',
      code: 'UNKNOWN',
      internal: 'endpoint rejected: scheme',
    });
    expect(outcome).not.toHaveProperty('deadTokens');
    expect(service.messages).toEqual([]);
  });

  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  test.each([
    ['p256dh is too short', { p256dh: 'AAAA' }],
    ['p256dh is not on the curve', { p256dh: offCurve }],
    ['auth is too short', { auth: 'AAAA' }],
  ])('is removed when %s, and does not affect the others', async (_name, keys) => {
    const { service, deliver } = await start();
    const [broken, good] = [service.subscribe(), service.subscribe()];
    Object.assign(broken.sub.keys, keys);
    const outcome = await deliver({ subscriptions: [broken, good] });
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { web_push_sent_token: good.sub.endpoint, web_push_failed_token: broken.sub.endpoint },
    });
    expect(outcome.deadTokens).toEqual([broken.sub.endpoint]);
    expect(await deliver({ subscriptions: [broken] })).toMatchObject({ kind: 'rejected', code: GONE });
  });

  test('is removed when the browser has withdrawn its endpoint', async () => {
    const { service, deliver } = await start();
    const withdrawn = service.subscribe();
    withdrawn.sub.endpoint = 'https://permanently-removed.invalid/fcm/send/abc';
    const outcome = await deliver({ subscriptions: [withdrawn] });
    expect(outcome).toMatchObject({ kind: 'rejected', code: GONE, deadTokens: [withdrawn.sub.endpoint] });
  });

  test("stays when the environment's own key is the one that cannot be used", async () => {
    const { service, deliver } = await start();
    const outcome = await deliver({
      subscriptions: [service.subscribe()],
      vapid: { ...vapid, privateKey: 'AAAA' },
    });
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'UNKNOWN' });
    expect(outcome).not.toHaveProperty('deadTokens');
  });

  test('gets one call per endpoint, all in one delivery; expired ones are named', async () => {
    const { service, deliver } = await start();
    const [first, second, dead] = [service.subscribe(), service.subscribe(), service.subscribe()];
    service.expire(dead.sub.endpoint);
    const outcome = await deliver({ subscriptions: [dead, first, second, first] });
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { web_push_sent_token: first.sub.endpoint },
      deadTokens: [dead.sub.endpoint],
    });
    expect(service.messages.map(({ endpoint }) => endpoint).sort()).toEqual(
      [first.sub.endpoint, second.sub.endpoint].sort(),
    );
  });

  test('delays the message when it may work later, only when no other worked', async () => {
    const { service, deliver } = await start();
    const [busy, dead] = [service.subscribe(), service.subscribe()];
    service.expire(dead.sub.endpoint);
    service.respondWith(busy.sub.endpoint, { status: 503, headers: { 'retry-after': '9' } });
    expect(await deliver({ subscriptions: [busy, dead] })).toMatchObject({
      kind: 'retry',
      afterSeconds: 9,
      deadTokens: [dead.sub.endpoint],
    });
  });
});
