import { describe, expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as removeDevice } from '../../../functions/users/remove-device.ts';
import { handler as saveManyUsers } from '../../../functions/users/save-many-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { deviceTokenKey, profileKey } from '../../../shared/database/keys/user.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

const fcm = (token: string) => ({ type: 'FCM' as const, token });
const subscription = (name: string) => ({
  sub: { endpoint: `https://push.example.com/${name}`, keys: { p256dh: 'p', auth: 'a' } },
});

async function register(userId: string, body: object, key = account.secret.key): Promise<void> {
  const { status } = await call(saveUser, { key, path: { userId }, body });
  expect(status).toBe(200);
}

async function tokensOf(userId: string): Promise<string[]> {
  const { json } = await call(getUser, { key: account.secret.key, path: { userId } });
  return (json.pushTokens ?? []).map(({ token }: { token: string }) => token);
}

async function endpointsOf(userId: string): Promise<string[]> {
  const { json } = await call(getUser, { key: account.secret.key, path: { userId } });
  return (json.webPushTokens ?? []).map(({ sub }: { sub: { endpoint: string } }) => sub.endpoint);
}

const claimOf = async (token: string) =>
  (await app.database.get(deviceTokenKey(account.environment.environmentId, `PUSH ${token}`)))?.userId;

describe('the owner of a push token', () => {
  it('becomes the user who registers it last; the previous owner keeps their other tokens', async () => {
    await register('last-a', { pushTokens: [fcm('last-1'), fcm('last-2')] });
    await register('last-b', { pushTokens: [fcm('last-1')] });
    expect([await tokensOf('last-a'), await tokensOf('last-b')]).toEqual([['last-2'], ['last-1']]);
    await register('last-a', { pushTokens: [fcm('last-1')] });
    expect([await tokensOf('last-a'), await tokensOf('last-b')]).toEqual([['last-2', 'last-1'], []]);
  });

  it('becomes the user who registers the browser last', async () => {
    await register('web-a', { webPushTokens: [subscription('1'), subscription('2')] });
    await register('web-b', { webPushTokens: [subscription('1')] });
    expect([await endpointsOf('web-a'), await endpointsOf('web-b')]).toEqual([
      ['https://push.example.com/2'],
      ['https://push.example.com/1'],
    ]);
  });

  it('has one device for an APNs token, in either case of its hex', async () => {
    const apn = (token: string) => ({ type: 'APN' as const, token });
    const hex = 'aB'.repeat(32);
    await register('hex-a', { pushTokens: [apn(hex)] });
    await register('hex-a', { pushTokens: [apn(hex.toUpperCase()), apn(hex.toLowerCase())] });
    expect(await tokensOf('hex-a')).toEqual([hex.toLowerCase()]);
    await register('hex-b', { pushTokens: [apn(hex.toUpperCase())] });
    expect([await tokensOf('hex-a'), await tokensOf('hex-b')]).toEqual([[], [hex.toLowerCase()]]);
    await register('hex-a', { pushTokens: [fcm('aB'.repeat(32)), fcm('ab'.repeat(32))] });
    expect(await tokensOf('hex-a')).toEqual(['aB'.repeat(32), 'ab'.repeat(32)]);
  });

  it('becomes the recipient of a request that contains the token', async () => {
    await register('sent-a', { pushTokens: [fcm('sent-1')] });
    const { status } = await call(send, {
      key: account.secret.key,
      body: {
        type: 'token-type',
        to: { id: 'sent-b', pushTokens: [fcm('sent-1')] },
        mobile_push: { title: 'Hello', message: 'Hi' },
      },
    });
    expect(status).toBe(200);
    expect([await tokensOf('sent-a'), await tokensOf('sent-b')]).toEqual([[], ['sent-1']]);
  });

  it("can change without affecting the previous owner's chat token", async () => {
    await register('chat-a', {
      pushTokens: [fcm('chat-1')],
      chatToken: { ok: true, access_token: 'xoxb-1' },
    });
    await register('chat-b', { pushTokens: [fcm('chat-1')] });
    const { json } = await call(getUser, { key: account.secret.key, path: { userId: 'chat-a' } });
    expect([json.pushTokens, json.chatToken.access_token]).toEqual([[], 'xoxb-1']);
  });

  it('differs between environments', async () => {
    const other = await createTestAccount(app);
    await register('env-a', { pushTokens: [fcm('env-1')] });
    await register('env-b', { pushTokens: [fcm('env-1')] }, other.secret.key);
    expect(await tokensOf('env-a')).toEqual(['env-1']);
  });

  it('ends up as exactly one of six users who register it concurrently, in every round', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `race-${index}`);
    for (const round of [1, 2]) {
      await Promise.all(
        names.map((name) => register(name, { pushTokens: [fcm('race'), fcm(`own-${name}`)] })),
      );
      const holders = [];
      for (const name of names) {
        const tokens = await tokensOf(name);
        expect(tokens).toContain(`own-${name}`);
        if (tokens.includes('race')) holders.push(name);
      }
      expect([round, holders]).toEqual([round, [await claimOf('race')]]);
    }
  });

  it('can change for 100 tokens and subscriptions in one request', async () => {
    const body = {
      pushTokens: Array.from({ length: 100 }, (_, index) => fcm(`many-${index}`)),
      webPushTokens: Array.from({ length: 100 }, (_, index) => subscription(`many-${index}`)),
    };
    await register('many-a', body);
    await register('many-b', body);
    const counts = async (userId: string) => [
      (await tokensOf(userId)).length,
      (await endpointsOf(userId)).length,
    ];
    expect([await counts('many-a'), await counts('many-b')]).toEqual([
      [0, 0],
      [100, 100],
    ]);
  });
});

describe('the claim of a push token', () => {
  it('comes back with the next registration when it is missing', async () => {
    const { environmentId } = account.environment;
    await register('old-a', { pushTokens: [fcm('old-1')] });
    await app.database.delete(deviceTokenKey(environmentId, 'PUSH old-1'));
    await register('old-a', { pushTokens: [fcm('old-1')] });
    expect(await claimOf('old-1')).toBe('old-a');
  });

  it.each([
    ['an empty list', { pushTokens: [] }],
    ['null', { pushTokens: null }],
    ["the device's newer token", { pushTokens: [{ ...fcm('freed-new'), device: { device_id: 'd' } }] }],
  ])('ends with %s', async (name, body) => {
    const token = `freed-${name}`;
    await register('freed', { pushTokens: [{ ...fcm(token), device: { device_id: 'd' } }] });
    expect(await claimOf(token)).toBe('freed');
    await register('freed', body);
    expect(await claimOf(token)).toBeUndefined();
    await register('freed-next', { pushTokens: [fcm(token)] });
    expect(await claimOf(token)).toBe('freed-next');
  });

  it('ends when its user is deleted, with any number of tokens', async () => {
    const tokens = Array.from({ length: 45 }, (_, index) => `erased-${index}`);
    await register('erased', { pushTokens: tokens.map(fcm) });
    const { status } = await call(deleteUser, { key: account.secret.key, path: { userId: 'erased' } });
    expect(status).toBe(200);
    expect(await Promise.all(tokens.map(claimOf))).toEqual(tokens.map(() => undefined));
    const profile = profileKey(account.environment.environmentId, 'erased');
    expect(await app.database.get(profile)).toBeUndefined();
  });

  it('costs no write when a request contains a token that its user already has', async () => {
    const to = { id: 'same', pushTokens: [fcm('same-1')] };
    const body = { type: 'same-type', to, mobile_push: { title: 'Hello', message: 'Hi' } };
    expect((await call(send, { key: account.secret.key, body })).status).toBe(200);
    const scope = { accountId: account.account.accountId, environmentId: account.environment.environmentId };
    const before = await resolve(users).find(scope, 'same');
    await app.database.delete(deviceTokenKey(scope.environmentId, 'PUSH same-1'));
    expect((await call(send, { key: account.secret.key, body })).status).toBe(200);
    expect(await resolve(users).find(scope, 'same')).toEqual(before);
    expect(await claimOf('same-1')).toBeUndefined();
  });
});

describe('POST /users/{userId}/preferences', () => {
  it('sets lastSeenTime and creates a user who is not stored yet', async () => {
    const key = account.secret.key;
    await call(send, {
      key,
      body: {
        type: 'seen-type',
        to: { id: 'seen-0', email: 's@example.com' },
        email: { subject: 'a', html: 'b' },
      },
    });
    await register('seen-1', {});
    app.clock.nowMs += 60_000;
    for (const userId of ['seen-1', 'seen-2']) {
      const body = [{ notificationId: 'seen-type', channel: 'EMAIL', delivery: 'off' }];
      expect((await call(savePreferences, { key, path: { userId }, body })).status).toBe(200);
      const { json } = await call(getUser, { key, path: { userId } });
      expect(json.lastSeenTime).toBe(new Date(app.clock.nowMs).toISOString());
    }
  });
});

describe('DELETE /users/{userId}/devices/{device}', () => {
  const remove = (userId: string, device: string, key = account.secret.key, more: object = {}) =>
    call(removeDevice, { key, path: { userId, device }, ...more });
  const hex = 'cD'.repeat(32);

  it.each([
    [
      'an FCM token',
      'fcm:1',
      ['other', hex.toLowerCase()],
      ['https://push.example.com/x?a=1', 'https://push.example.com/y'],
    ],
    [
      'an APNs token in either case',
      hex.toUpperCase(),
      ['fcm:1', 'other'],
      ['https://push.example.com/x?a=1', 'https://push.example.com/y'],
    ],
    [
      'a web push subscription',
      'https://push.example.com/x?a=1',
      ['fcm:1', 'other', hex.toLowerCase()],
      ['https://push.example.com/y'],
    ],
    [
      'nothing of an unknown one',
      'https://push.example.com/z',
      ['fcm:1', 'other', hex.toLowerCase()],
      ['https://push.example.com/x?a=1', 'https://push.example.com/y'],
    ],
  ])('removes %s, also when it is repeated', async (_name, device, tokens, endpoints) => {
    await register('out', {
      pushTokens: [fcm('fcm:1'), fcm('other'), { type: 'APN', token: hex }],
      webPushTokens: [subscription('x?a=1'), subscription('y')],
    });
    for (let times = 0; times < 2; times += 1) {
      expect(await remove('out', device)).toMatchObject({ status: 204 });
      expect([await tokensOf('out'), await endpointsOf('out')]).toEqual([tokens, endpoints]);
    }
    expect(await claimOf('fcm:1')).toBe(tokens.includes('fcm:1') ? 'out' : undefined);
    await register('out', { pushTokens: [], webPushTokens: [] });
  });

  it('lets the browser of the user do it by the user hash, and no other user', async () => {
    await register('hashed', { pushTokens: [fcm('mine')] });
    const path = { clientId: account.environment.environmentId };
    const body = { secureMode: true };
    const { clientSecret } = (await call(updateEnvironment, { key: account.secret.key, path, body })).json;
    const as = (userId: string) => ({ headers: { 'x-user-hash': userHashOf(clientSecret, userId) } });
    expect((await remove('hashed', 'mine', account.public.key, as('other'))).status).toBe(401);
    expect(await tokensOf('hashed')).toEqual(['mine']);
    expect((await remove('hashed', 'mine', account.public.key, as('hashed'))).status).toBe(204);
    expect(await tokensOf('hashed')).toEqual([]);
  });

  it('returns 400 for an unknown user', async () => {
    const { status, json } = await remove('nobody-here', 'mine');
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
  });
});

const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};
const MUST = 'webPushTokens[0].sub.endpoint must be an https URL of a public host';

it.each([
  'https://10.1.2.3/',
  'https://[fd00::2]/p',
  'https://169.254.169.254/latest',
  'https://[::ffff:10.0.0.1]/',
  'https://push.internal/x',
  'https://u:p@push.example.com/x',
  'https://push.example.com:22/x',
])('a subscription at an address that may not be called is a 400 everywhere: %s', async (endpoint) => {
  const { key } = account.secret;
  const webPushTokens = [{ sub: { endpoint, keys } }];
  const path = { userId: 'eve' };
  const saved = await call(saveUser, { key, path, body: { webPushTokens } });
  expect([saved.status, saved.json.error.message]).toEqual([400, expect.stringContaining(`body.${MUST}`)]);
  const to = { id: 'eve', webPushTokens };
  const sent = await call(send, { key, body: { type: 't', to, web_push: { message: 'm' } } });
  expect([sent.status, sent.json.error.message]).toEqual([400, expect.stringContaining(`body.to.${MUST}`)]);
  const { json } = await call(saveManyUsers, { key, body: { users: [to] } });
  expect(json.results[0].error.message).toContain(`body.users[0].${MUST}`);
  expect((await call(getUser, { key, path })).status).toBe(400);
});

it('the address of a browser that withdrew its subscription is accepted, as any public one', async () => {
  const withdrawn = 'https://permanently-removed.invalid/fcm/send/abc';
  for (const endpoint of [withdrawn, 'https://fcm.googleapis.com/fcm/send/abc']) {
    const body = { webPushTokens: [{ sub: { endpoint, keys } }] };
    expect((await call(saveUser, { key: account.secret.key, path: { userId: 'ida' }, body })).status).toBe(
      200,
    );
  }
});
