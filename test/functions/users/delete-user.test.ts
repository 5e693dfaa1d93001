import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as listUsers } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { connections } from '../../../shared/database/entities/inapp/connections.ts';
import { inappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import { preferenceStore } from '../../../shared/database/entities/users/preferences.ts';
import { userPk } from '../../../shared/database/keys/key.ts';
import { connectionOwnerKey } from '../../../shared/database/keys/user.ts';
import { connectionClose } from '../../../shared/providers/clients/realtime.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

const ada = { userId: 'ada' };

async function storeEverything(environmentId: string, userId: string): Promise<void> {
  const items = resolve(inappItems);
  for (let index = 0; index < 60; index += 1) {
    const atMs = app.clock.nowMs + index;
    const date = new Date(atMs).toISOString();
    const item = { id: `t-${index}`, trackingId: `t-${index}`, notificationId: 'welcome', title: 'x', date };
    await items.add({ environmentId, userId, item, atMs, expiresAtSeconds: Math.ceil(atMs / 1000) + 3600 });
  }
  await resolve(preferenceStore).set(environmentId, userId, [
    { notificationId: 'welcome', channel: 'EMAIL', delivery: 'off' },
  ]);
  const connection = { connectionId: `connection-${userId}`, environmentId, userId };
  await resolve(connections).open({ ...connection, openedAtMs: app.clock.nowMs });
}

describe('DELETE /users/{userId}', () => {
  it('deletes everything of the user and removes them from the list', async () => {
    const { secret, environment } = await createTestAccount(app);
    const { environmentId } = environment;
    await call(saveUser, { key: secret.key, path: ada, body: { email: 'ada@example.com' } });
    await call(saveUser, { key: secret.key, path: { userId: 'bob' }, body: {} });
    await storeEverything(environmentId, 'ada');
    const { status, json } = await call(handler, { key: secret.key, path: ada });
    expect([status, json]).toEqual([
      200,
      { message: expect.any(String), erasure: { state: 'done', erasedLogs: 0 } },
    ]);
    expect(await app.database.queryAll(userPk(environmentId, 'ada'), '')).toEqual([]);
    expect(await app.database.get(connectionOwnerKey('connection-ada'))).toBeUndefined();
    expect((await call(getUser, { key: secret.key, path: ada })).json.error.code).toBe('RESOURCE_NOT_FOUND');
    const listed = await call(listUsers, { key: secret.key });
    expect(listed.json.users.map((user: { id: string }) => user.id)).toEqual(['bob']);
  });

  it('closes the WebSockets of the user and no others', async () => {
    const { secret, environment } = await createTestAccount(app);
    const { environmentId } = environment;
    const closed: string[] = [];
    replace(connectionClose, () => async (connectionId) => {
      closed.push(connectionId);
    });
    for (const userId of ['ada', 'bob']) await storeEverything(environmentId, userId);
    expect((await call(handler, { key: secret.key, path: ada })).status).toBe(200);
    expect(closed).toEqual(['connection-ada']);
  });

  it('marks what was accepted before the deletion as erased, and nothing accepted after it', async () => {
    const { secret, environment } = await createTestAccount(app);
    await call(saveUser, { key: secret.key, path: ada, body: {} });
    const atMs = app.clock.nowMs;
    const isErased = (sinceMs: number, userId = 'ada') =>
      resolve(erasureMarks).isErasedSince(environment.environmentId, userId, sinceMs);
    expect(await isErased(atMs)).toBe(false);
    await call(handler, { key: secret.key, path: ada });
    expect([await isErased(atMs - 1000), await isErased(atMs), await isErased(atMs + 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await isErased(atMs, 'bob')).toBe(false);
  });

  it('returns 400 for an unknown or deleted user', async () => {
    const { secret } = await createTestAccount(app);
    await call(saveUser, { key: secret.key, path: ada, body: {} });
    expect((await call(handler, { key: secret.key, path: ada })).status).toBe(200);
    for (const path of [ada, { userId: 'nobody' }]) {
      const { status, json } = await call(handler, { key: secret.key, path });
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
  });

  it('starts without any earlier data when the user is created again', async () => {
    const { secret } = await createTestAccount(app);
    await call(saveUser, { key: secret.key, path: ada, body: { email: 'ada@example.com' } });
    await call(handler, { key: secret.key, path: ada });
    const { json } = await call(saveUser, { key: secret.key, path: ada, body: { number: '+14155550123' } });
    expect(json).not.toHaveProperty('email');
  });
});
