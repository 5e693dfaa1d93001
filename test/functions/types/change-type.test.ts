import { describe, expect, it } from 'vitest';
import { handler as deleteType } from '../../../functions/types/delete-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { expectRefusedValues } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { create, get, list, MINIMAL, patch, SETTINGS } from './setup.ts';

const app = useApp();
const account = useAccount(app, 'test');

const path = { notificationId: 'welcome' };
const remove = (account: TestAccount, notificationId: string) =>
  call(deleteType, { key: account.secret.key, path: { notificationId } });

describe('PATCH /types/{notificationId}', () => {
  it('changes only the given fields', async () => {
    const { json: created } = await create(account, { ...MINIMAL, ...SETTINGS });
    const json = { ...created, updatedBy: account.admin.userId };
    const steps: [object, object][] = [
      [{}, created],
      [
        { notificationId: 'welcome', title: 'Neu ☂' },
        { ...json, title: 'Neu ☂' },
      ],
      [{ enabled: false }, { ...json, title: 'Neu ☂', enabled: false }],
      [{ channels: [] }, { ...json, title: 'Neu ☂', enabled: false, channels: [] }],
      [
        { channels: ['SMS'], retention: 7 },
        { ...json, title: 'Neu ☂', enabled: false, channels: ['SMS'], retention: 7 },
      ],
    ];
    for (const [body, expected] of steps) {
      const response = await patch(account, 'welcome', body);
      expect(response.json).toEqual(expected);
      expect((await get(account, 'welcome')).json).toEqual(expected);
    }
  });

  it('disables deduplication, throttling and retention with null and enables them again', async () => {
    const created = (await create(account, { ...MINIMAL, ...SETTINGS })).json;
    const json = { ...created, updatedBy: account.admin.userId };
    const { deduplication, throttling, retention, ...off } = json;
    const nothing = { deduplication: null, throttling: null, retention: null };
    expect((await patch(account, 'welcome', nothing)).json).toEqual(off);
    expect((await get(account, 'welcome')).json).toEqual(off);
    expect((await patch(account, 'welcome', { deduplication, throttling, retention })).json).toEqual(json);
  });

  it('replaces options per channel; null removes those of a channel, or all', async () => {
    await create(account, { ...MINIMAL, ...SETTINGS });
    const { EMAIL, INAPP_WEB } = SETTINGS.options;
    const push = { defaultDeliveryOption: 'instant' };
    const first = await patch(account, 'welcome', { options: { PUSH: push, SMS: null } });
    expect(first.json.options).toEqual({ EMAIL, INAPP_WEB, PUSH: push });
    const second = await patch(account, 'welcome', { options: { EMAIL: push } });
    expect(second.json.options).toEqual({ EMAIL: push, INAPP_WEB, PUSH: push });
    const third = await patch(account, 'welcome', { options: null });
    expect(third.json).not.toHaveProperty('options');
  });

  it('returns 400 for invalid values of every field and changes nothing', async () => {
    const { json } = await create(account);
    const cases: Record<string, readonly unknown[]> = {
      notificationId: ['other', '', 7, null],
      title: [null, 7, {}, '', ' ', 'x'.repeat(2048)],
      channels: [null, 'EMAIL', ['FAX'], [7]],
      enabled: [null, 'true', 1],
      retention: ['30', 0, -1, 1.5],
      deduplication: [7, {}, { duration: -1 }],
      throttling: [7, {}, { ...SETTINGS.throttling, max: 0 }],
      options: [7, { EMAIL: {} }, { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: false } } }],
    };
    for (const [field, values] of Object.entries(cases)) {
      const request = { key: account.secret.key, path, body: {} };
      await expectRefusedValues(updateType, request, field, values);
    }
    expect((await get(account, 'welcome')).json).toEqual(json);
  });

  it('keeps all concurrent changes', async () => {
    await create(account);
    const channels = ['EMAIL', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'];
    const option = { defaultDeliveryOption: 'off' };
    const responses = await Promise.all(
      channels.map((channel) => patch(account, 'welcome', { options: { [channel]: option } })),
    );
    expect(responses.map((response) => response.status)).toEqual(channels.map(() => 200));
    expect((await get(account, 'welcome')).json.options).toEqual(
      Object.fromEntries(channels.map((channel) => [channel, option])),
    );
  });
});

describe('DELETE /types/{notificationId}', () => {
  it('deletes the type once and no other', async () => {
    await create(account);
    await create(account, { ...MINIMAL, notificationId: 'welcome2' });
    expect(await remove(account, 'welcome')).toMatchObject({
      status: 200,
      json: { message: 'The notification type and its templates are deleted.' },
    });
    expect((await list(account)).map((type: { notificationId: string }) => type.notificationId)).toEqual([
      'welcome2',
    ]);
    expect(await remove(account, 'welcome')).toMatchObject({
      status: 400,
      json: { error: { code: 'RESOURCE_NOT_FOUND' } },
    });
  });
});

describe('an unknown type or one of another account', () => {
  it('returns 400 on every endpoint and remains unchanged', async () => {
    const [owner, stranger] = [await createTestAccount(app), await createTestAccount(app)];
    const { json } = await create(owner);
    const calls = [
      () => get(stranger, 'welcome'),
      () => patch(stranger, 'welcome', { title: 'Mine' }),
      () => remove(stranger, 'welcome'),
      () => get(owner, 'unknown ☂'),
      () => patch(owner, 'unknown ☂', {}),
      () => remove(owner, 'unknown ☂'),
    ];
    for (const attempt of calls) {
      const response = await attempt();
      expect([response.status, response.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      expect(response.json.error.fix).toContain('GET /types');
    }
    expect((await get(owner, 'welcome')).json).toEqual(json);
    expect(await list(stranger)).toEqual([]);
  });

  it.each(['', ' welcome', 'x'.repeat(2048), 'a\u0000'])('cannot have the ID %j', async (notificationId) => {
    for (const response of [
      await get(account, notificationId),
      await patch(account, notificationId, {}),
      await remove(account, notificationId),
    ]) {
      expect([response.status, response.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
  });
});
