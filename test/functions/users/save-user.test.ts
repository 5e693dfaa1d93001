import { describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler } from '../../../functions/users/save-user.ts';
import { keyring } from '../../../shared/database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  environments,
} from '../../../shared/database/entities/accounts/environments.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { expectRefusedValues } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const shared = useAccount(app);

const ada = { userId: 'ada' };

const subscription = { sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } } };
const full = {
  id: 'ada',
  email: 'ada@example.com',
  number: '(415) 555-0123',
  pushTokens: [{ type: 'FCM', token: 'tok-1', device: { device_id: 'd1', platform: 'android' } }],
  webPushTokens: [subscription],
  timezone: 'Europe/London',
  chatChannel: '#general',
  chatToken: { ok: true, access_token: 'xoxb-very-secret', team: { id: 'T1', name: 'Team' } },
};

describe('POST and GET /users/{userId}', () => {
  it('creates a user from an empty body', async () => {
    const { secret } = await createTestAccount(app);
    const { status, json } = await call(handler, { key: secret.key, path: ada, body: {} });
    const at = new Date(app.clock.nowMs).toISOString();
    expect([status, json]).toEqual([200, { id: 'ada', lastSeenTime: at, updatedAt: at, createdAt: at }]);
  });

  it('stores every writable field, the number as E.164, and returns them unchanged', async () => {
    const { secret } = await createTestAccount(app);
    const saved = await call(handler, { key: secret.key, path: ada, body: full });
    expect(saved.json).toMatchObject({ ...full, number: '+14155550123' });
    expect((await call(getUser, { key: secret.key, path: ada })).json).toEqual(saved.json);
  });

  it('encrypts the chat token in the table and omits it from responses to public keys', async () => {
    const account = await createTestAccount(app);
    await call(handler, { key: account.secret.key, path: ada, body: full });
    const item = await app.database.get(profileKey(account.environment.environmentId, 'ada'));
    expect(unpackedText(item)).not.toContain('xoxb-very-secret');
    for (const answered of [
      await call(handler, { key: account.public.key, path: ada, body: {} }),
      await call(getUser, { key: account.public.key, path: ada }),
    ]) {
      expect([answered.status, answered.json.email]).toEqual([200, 'ada@example.com']);
      expect(answered.json).not.toHaveProperty('chatToken');
    }
  });

  it('merges: absent fields are kept, null clears, and every call updates lastSeenTime', async () => {
    const { secret } = await createTestAccount(app);
    await call(handler, { key: secret.key, path: ada, body: full });
    app.clock.nowMs += 60_000;
    const { json } = await call(handler, {
      key: secret.key,
      path: ada,
      body: {
        email: null,
        chatToken: null,
        pushTokens: [{ type: 'FCM', token: 'tok-2', device: { device_id: 'd1' } }],
      },
    });
    expect(json).toMatchObject({
      number: '+14155550123',
      timezone: 'Europe/London',
      webPushTokens: [subscription],
    });
    expect(json).not.toHaveProperty('email');
    expect(json).not.toHaveProperty('chatToken');
    expect(json.pushTokens).toEqual([{ type: 'FCM', token: 'tok-2', device: { device_id: 'd1' } }]);
    expect(json.lastSeenTime).toBe(new Date(app.clock.nowMs).toISOString());
    const cleared = await call(handler, {
      key: secret.key,
      path: ada,
      body: { pushTokens: [], webPushTokens: [] },
    });
    expect(cleared.json).toMatchObject({ pushTokens: [], webPushTokens: [] });
  });

  it('keeps all of 20 concurrent merges', async () => {
    const { secret, environment } = await createTestAccount(app);
    const merges = Array.from({ length: 20 }, (_, index) =>
      call(handler, {
        key: secret.key,
        path: ada,
        body: { pushTokens: [{ type: 'FCM', token: `tok-${index}` }] },
      }),
    );
    expect((await Promise.all(merges)).map(({ status }) => status)).toEqual(merges.map(() => 200));
    const { json } = await call(getUser, { key: secret.key, path: ada });
    expect(json.pushTokens).toHaveLength(20);
    expect((await app.database.get(profileKey(environment.environmentId, 'ada')))?.revision).toBe(20);
  });

  it("shows the suppression of the user's current address", async () => {
    const { secret, account } = await createTestAccount(app);
    const emailSuppressionStatus = { reason: 'Bounce' as const, details: { bounceType: 'Permanent' } };
    await resolve(suppressions).suppress(account.accountId, full.email.toUpperCase(), emailSuppressionStatus);
    const save = async (email: string | null) =>
      (await call(handler, { key: secret.key, path: ada, body: { email } })).json.emailSuppressionStatus;
    expect(await save(full.email)).toEqual(emailSuppressionStatus);
    expect(await save('ada@example.org')).toBeUndefined();
    expect(await save(full.email)).toEqual(emailSuppressionStatus);
    expect(await save(null)).toBeUndefined();
  });

  it.each(['ada#PROFILE', '用户 1', 'a/b%2F', 'ada@example.com', '😀'.repeat(60)])(
    'accepts the ID %j',
    async (userId) => {
      const { secret } = await createTestAccount(app);
      const saved = await call(handler, { key: secret.key, path: { userId }, body: {} });
      expect([saved.status, saved.json.id]).toEqual([200, userId]);
      expect((await call(getUser, { key: secret.key, path: { userId } })).json.id).toBe(userId);
    },
  );

  it.each([
    ['empty', ''],
    ['with a leading space', ' ada'],
    ['over-long', 'a'.repeat(2048)],
    ['with a control character', 'a\nb'],
  ])('returns 400 for an ID that is %s', async (_, userId) => {
    for (const each of [handler, getUser]) {
      const { status, json } = await call(each, { key: shared.secret.key, path: { userId }, body: {} });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  const long = 'x'.repeat(5000);
  const device = { type: 'FCM', token: 't' };
  it.each<[string, unknown[]]>([
    ['id', ['eve', 7, null, '', long]],
    [
      'email',
      ['not an address', '', 7, {}, ['a@example.com'], `${long}@example.com`, 'a@example.com, b@example.com'],
    ],
    ['number', ['abc', '', '+1', '123', 7, {}, long]],
    ['timezone', ['Mars/Olympus', '', 7, {}, long]],
    ['chatChannel', [7, {}, [], long]],
    ['chatToken', ['token', 7, [], { access_token: 7 }, { team: [] }]],
    [
      'pushTokens',
      [
        'token',
        7,
        {},
        [7],
        [null],
        [{ type: 'FCM' }],
        [{ type: 'GCM', token: 't' }],
        [{ ...device, token: '' }],
        [{ ...device, token: long }],
        [{ ...device, device: 'x' }],
        Array(101).fill(device),
      ],
    ],
    [
      'webPushTokens',
      [
        'x',
        7,
        {},
        [7],
        [{ sub: {} }],
        [{ sub: { ...subscription.sub, endpoint: 'http://push.example.com' } }],
        [{ sub: { ...subscription.sub, endpoint: long } }],
        [{ sub: { endpoint: 'https://p.example.com', keys: { p256dh: 'p' } } }],
      ],
    ],
  ])('returns 400 for invalid values of %s and changes nothing', async (field, values) => {
    const path = { userId: `refused-${field}` };
    await expectRefusedValues(handler, { key: shared.secret.key, path, body: {} }, field, values);
    expect((await call(getUser, { key: shared.secret.key, path })).json.error.code).toBe(
      'RESOURCE_NOT_FOUND',
    );
  });

  it('reports every problem together', async () => {
    for (const body of [
      { email: 7, number: {}, timezone: 'x'.repeat(99) },
      { email: 7, number: '12', timezone: 'Mars/Olympus' },
    ]) {
      const { json } = await call(handler, { key: shared.secret.key, path: ada, body });
      for (const field of Object.keys(body)) expect(json.error.message).toContain(`body.${field}`);
    }
  });

  it.each(['', 'no json', '[]', '"text"', '7', 'null'])('returns 400 for the body %j', async (rawBody) => {
    const { status, json } = await call(handler, { key: shared.secret.key, path: ada, rawBody });
    expect([status, json.error.code]).toEqual([400, expect.stringMatching(/^INVALID_(JSON|REQUEST)$/)]);
  });

  it('returns 400 for more data than one user can have', async () => {
    const pushTokens = Array.from({ length: 100 }, (_, index) => ({
      type: 'FCM',
      token: `${index}-${'t'.repeat(4000)}`,
      device: { model: 'm'.repeat(4000) },
    }));
    const { status, json } = await call(handler, {
      key: shared.secret.key,
      path: { userId: 'big' },
      body: { pushTokens },
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('returns 400 for an unknown user', async () => {
    const { status, json } = await call(getUser, { key: shared.secret.key, path: { userId: 'nobody' } });
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
  });

  it('keeps users with the same ID in two accounts separate', async () => {
    const [one, other] = [await createTestAccount(app), await createTestAccount(app)];
    await call(handler, { key: one.secret.key, path: ada, body: { email: 'one@example.com' } });
    expect((await call(getUser, { key: other.secret.key, path: ada })).status).toBe(400);
    await call(handler, { key: other.secret.key, path: ada, body: { email: 'other@example.com' } });
    expect((await call(getUser, { key: one.secret.key, path: ada })).json.email).toBe('one@example.com');
  });
});

describe('a public key in secure mode', () => {
  it('requires the hash of the user; a secret key requires none', async () => {
    const account = await createTestAccount(app);
    const { accountId } = account.account;
    const { environmentId, sealedSecret } = account.environment;
    await resolve(environments).update(accountId, environmentId, { secureMode: true });
    const clientSecret = await resolve(keyring).decrypt(
      clientSecretContext(accountId, environmentId),
      sealedSecret,
    );
    const withHash = (hash?: string) => ({
      key: account.public.key,
      path: ada,
      body: {},
      ...(hash === undefined ? {} : { headers: { 'x-user-hash': hash } }),
    });
    for (const hash of [
      undefined,
      '',
      'wrong',
      userHashOf(clientSecret, 'eve'),
      userHashOf('other', 'ada'),
    ]) {
      const { status, json } = await call(handler, withHash(hash));
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await call(getUser, withHash(hash))).status).toBe(401);
    }
    expect((await call(handler, withHash(userHashOf(clientSecret, 'ada')))).status).toBe(200);
    expect((await call(getUser, withHash(userHashOf(clientSecret, 'ada')))).status).toBe(200);
    expect((await call(getUser, { key: account.secret.key, path: ada })).status).toBe(200);
  });
});
