import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/preferences/get-preferences.ts';
import { handler as resetPreferences } from '../../../functions/preferences/reset-preferences.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { keyring } from '../../../shared/database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  environments,
} from '../../../shared/database/entities/accounts/environments.ts';
import {
  notificationTypes,
  type StoredType,
} from '../../../shared/database/entities/content/notification-types.ts';
import { preferenceStore } from '../../../shared/database/entities/users/preferences.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import type { Preference } from '../../../shared/schemas/users/preference.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const app = useApp();
const shared = useStarted(accountWithTypes);

const path = { userId: 'ada' };
const off: Preference = { notificationId: 'comment', channel: 'EMAIL', delivery: 'off' };
const OPTIONS: StoredType['options'] = {
  EMAIL: {
    defaultDeliveryOption: 'instant',
    daily: { enabled: true, hour: '08:00' },
    weekly: { enabled: false },
  },
  SMS: { defaultDeliveryOption: 'instant', off: { enabled: false } },
  INAPP_WEB: { defaultDeliveryOption: 'instant' },
};

async function accountWithTypes(): Promise<TestAccount> {
  const account = await createTestAccount(app);
  for (const notificationId of ['comment', 'plain']) {
    await resolve(notificationTypes).create(account.environment.environmentId, {
      notificationId,
      title: `Title of ${notificationId}`,
      channels: ['EMAIL', 'SMS'],
      enabled: true,
      ...(notificationId === 'comment' ? { options: OPTIONS } : {}),
      templates: [],
      revision: 1,
      createdAtMs: app.clock.nowMs,
    });
  }
  return account;
}

const read = async (key: string): Promise<Preference[]> =>
  (await call(handler, { key, path })).json.preferences;

describe('GET /users/{userId}/preferences', () => {
  it('returns every type and no preferences for a user without choices', async () => {
    const { status, json } = await call(handler, { key: shared.public.key, path: { userId: 'nobody' } });
    expect([status, json]).toEqual([
      200,
      {
        preferences: [],
        notifications: [
          {
            notificationId: 'comment',
            title: 'Title of comment',
            channels: ['EMAIL', 'SMS'],
            options: OPTIONS,
          },
          { notificationId: 'plain', title: 'Title of plain', channels: ['EMAIL', 'SMS'], options: {} },
        ],
      },
    ]);
  });
});

describe('POST /users/{userId}/preferences', () => {
  it.each(['secret', 'public'] as const)(
    'sets the given choices and keeps the others, for a %s key',
    async (kind) => {
      const account = await accountWithTypes();
      const daily: Preference = { ...off, subNotificationId: 'post#1 ✓', delivery: 'daily' };
      expect(
        (await call(savePreferences, { key: account[kind].key, path, body: [off] })).json.preferences,
      ).toEqual([off]);
      const { status, json } = await call(savePreferences, { key: account[kind].key, path, body: [daily] });
      expect([status, json.preferences]).toEqual([200, expect.arrayContaining([off, daily])]);
      expect(json.notifications).toHaveLength(2);
      expect(await read(account.secret.key)).toEqual(json.preferences);
    },
  );

  it('applies the later of two choices for the same channel', async () => {
    const { secret } = await accountWithTypes();
    const { status } = await call(savePreferences, {
      key: secret.key,
      path,
      body: [off, { ...off, delivery: 'daily' }],
    });
    expect([status, await read(secret.key)]).toEqual([200, [{ ...off, delivery: 'daily' }]]);
  });

  it('keeps all of 20 concurrent choices', async () => {
    const { secret } = await accountWithTypes();
    const choices = Array.from({ length: 20 }, (_, index) => ({ ...off, subNotificationId: `sub-${index}` }));
    await Promise.all(
      choices.map((choice) => call(savePreferences, { key: secret.key, path, body: [choice] })),
    );
    expect(await read(secret.key)).toHaveLength(20);
  });

  it.each<[string, object]>([
    ['an option that is disabled', { delivery: 'weekly' }],
    ['an option that the type does not have', { delivery: 'monthly' }],
    ['off where the type forbids it', { channel: 'SMS', delivery: 'off' }],
    ['a digest of in-app items', { channel: 'INAPP_WEB', delivery: 'daily' }],
    ['a digest on a channel without options', { channel: 'CALL', delivery: 'daily' }],
    ['an unknown option', { delivery: 'yearly' }],
    ['an unknown channel', { channel: 'FAX' }],
    ['a missing channel', { channel: undefined }],
    ['a missing type', { notificationId: undefined }],
    ['a number as type', { notificationId: 7 }],
    ['an empty sub-notification', { subNotificationId: '' }],
    ['an over-long sub-notification', { subNotificationId: 'x'.repeat(2048) }],
    ['a missing option', { delivery: undefined }],
  ])('returns 400 for %s and sets nothing', async (_, wrong) => {
    const { secret } = await accountWithTypes();
    const { status, json } = await call(savePreferences, {
      key: secret.key,
      path,
      body: [off, { ...off, ...wrong }],
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body[1].');
    expect(await read(secret.key)).toEqual([]);
  });

  it.each([[[]], [{}], ['off'], [7], [null], [[7]], [Array(101).fill(off)]])(
    'returns 400 for the body %.30j',
    async (body) => {
      const { status, json } = await call(savePreferences, { key: shared.secret.key, path, body });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it('returns 400 for an unknown type and for one of another account', async () => {
    const other = await createTestAccount(app);
    for (const [key, notificationId] of [
      [shared.secret.key, 'unknown'],
      [other.secret.key, 'comment'],
    ] as const) {
      const { status, json } = await call(savePreferences, { key, path, body: [{ ...off, notificationId }] });
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
  });

  it('returns 400 when the user has no room for more preferences', async () => {
    const { secret } = await accountWithTypes();
    const pages = Array.from({ length: 12 }, (_, page) =>
      Array.from({ length: 100 }, (_, index) => ({
        ...off,
        subNotificationId: `${page}-${index}-${'x'.repeat(240)}`,
      })),
    );
    const statuses: number[] = [];
    for (const body of pages)
      statuses.push((await call(savePreferences, { key: secret.key, path, body })).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(400);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    expect((await call(resetPreferences, { key: secret.key, path })).status).toBe(200);
    expect(await read(secret.key)).toEqual([]);
  });

  it('requires the user hash in secure mode', async () => {
    const account = await accountWithTypes();
    const { accountId } = account.account;
    const { environmentId, sealedSecret } = account.environment;
    await resolve(environments).update(accountId, environmentId, { secureMode: true });
    const secret = await resolve(keyring).decrypt(
      clientSecretContext(accountId, environmentId),
      sealedSecret,
    );
    for (const each of [handler, savePreferences, resetPreferences]) {
      const request = { key: account.public.key, path, body: [off] };
      expect((await call(each, { ...request, headers: { 'x-user-hash': 'wrong' } })).status).toBe(401);
      const headers = { 'x-user-hash': userHashOf(secret, 'ada') };
      expect((await call(each, { ...request, headers })).status).toBe(200);
    }
  });
});

describe('DELETE /users/{userId}/preferences', () => {
  const sub = { ...off, subNotificationId: 'one' };
  const plain = { ...off, notificationId: 'plain' };
  it.each<[string, Record<string, string> | undefined, Preference[]]>([
    ['everything without parameters', undefined, []],
    ['a type with its sub-notifications', { notificationId: 'comment' }, [plain]],
    ['one sub-notification', { notificationId: 'comment', subNotificationId: 'one' }, [off, plain]],
    ['nothing for a type without preferences', { notificationId: 'other' }, [off, sub, plain]],
  ])('resets %s', async (_, query, left) => {
    const { secret } = await accountWithTypes();
    await call(savePreferences, { key: secret.key, path, body: [off, sub, plain] });
    const { status, json } = await call(resetPreferences, {
      key: secret.key,
      path,
      ...(query ? { query } : {}),
    });
    expect([status, json]).toEqual([200, { message: expect.any(String) }]);
    expect(await read(secret.key)).toEqual(expect.arrayContaining(left));
    expect(await read(secret.key)).toHaveLength(left.length);
  });

  it('resets more preferences than one update can name', async () => {
    const { secret, environment } = await accountWithTypes();
    const many = Array.from({ length: 350 }, (_, index) => ({ ...off, subNotificationId: `sub-${index}` }));
    await resolve(preferenceStore).set(environment.environmentId, 'ada', many);
    expect(await read(secret.key)).toHaveLength(350);
    expect((await call(resetPreferences, { key: secret.key, path })).status).toBe(200);
    expect(await read(secret.key)).toEqual([]);
  });

  it('returns 400 for a sub-notification without its type', async () => {
    const { status, json } = await call(resetPreferences, {
      key: shared.secret.key,
      path,
      query: { subNotificationId: 'one' },
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});
