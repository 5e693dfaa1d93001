import { beforeAll, describe, expect, it } from 'vitest';
import { handler as tailLogs } from '../../functions/logs/tail-logs.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as listTypes } from '../../functions/types/list-types.ts';
import { handler as getUser } from '../../functions/users/get-user.ts';
import { handler as listUsers } from '../../functions/users/list-users.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { typeKey } from '../../shared/database/keys/environment.ts';
import { headKey } from '../../shared/database/keys/log.ts';
import { profileKey } from '../../shared/database/keys/user.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

const app = useApp();
const account = useAccount(app);
let key: string;
beforeAll(async () => {
  key = account.secret.key;
  for (const userId of ['ada', 'bob']) {
    await call(saveUser, { key, path: { userId }, body: { email: `${userId}@example.com` } });
  }
});

async function poison(itemKey: { pk: string; sk: string }, attribute: string): Promise<void> {
  const item = await app.database.get(itemKey, { consistent: true });
  expect(item).toBeDefined();
  await app.database.put({ ...item, ...itemKey, [attribute]: { broken: true } });
}

describe('a user with unreadable attributes', () => {
  beforeAll(() => poison(profileKey(account.environment.environmentId, 'ada'), 'timezone'));

  it('comes back without them, alone and in the list', async () => {
    const { status, json } = await call(getUser, { key, path: { userId: 'ada' } });
    expect([status, json.email, json.timezone]).toEqual([200, 'ada@example.com', undefined]);
    const list = await call(listUsers, { key });
    expect(list.json.users.map(({ id }: { id: string }) => id).sort()).toEqual(['ada', 'bob']);
  });

  it('receives notifications', async () => {
    const body = { type: 'welcome', to: { id: 'ada' }, email: { subject: 'S', html: 'H' } };
    const { status, json } = await call(send, { key, body });
    expect([status, json.messages]).toEqual([
      200,
      ['The notification type did not exist: it is created by this request.'],
    ]);
  });
});

describe('an unreadable item', () => {
  it('drops out of the list of users', async () => {
    await poison(profileKey(account.environment.environmentId, 'bob'), 'createdAtMs');
    const { status, json } = await call(listUsers, { key });
    expect([status, json.users.map(({ id }: { id: string }) => id)]).toEqual([200, ['ada']]);
  });

  it('drops out of the list of notification types', async () => {
    const type = (id: string) => ({ type: id, to: { id: 'ada' }, email: { subject: 'S', html: 'H' } });
    await call(send, { key, body: type('broken') });
    await poison(typeKey(account.environment.environmentId, 'broken'), 'title');
    const { status, json } = await call(listTypes, { key });
    expect([status, json.map(({ notificationId }: { notificationId: string }) => notificationId)]).toEqual([
      200,
      ['welcome'],
    ]);
  });

  it('drops out of the last logs', async () => {
    const body = { type: 'welcome', to: { id: 'ada' }, email: { subject: 'S', html: 'H' } };
    const { trackingId } = (await call(send, { key, body })).json;
    await poison(headKey(trackingId), 'at');
    const { status, json } = await call(tailLogs, { key });
    expect(status).toBe(200);
    expect(json.logs.map((log: { trackingId: string }) => log.trackingId)).not.toContain(trackingId);
    expect(json.logs.length).toBeGreaterThan(0);
  });
});

describe('a number that JSON cannot represent', () => {
  it.each(['1e400', '-1e400', '1e200', '123456789012345678901'])(
    'returns 400 and changes nothing: %s',
    async (text) => {
      const rawBody = `{"chatToken":{"access_token":"x","expires_in":${text}}}`;
      const { status, json } = await call(saveUser, { key, path: { userId: 'eve' }, rawBody });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toMatch(/^body\.chatToken\.expires_in must be a number/);
      expect((await call(getUser, { key, path: { userId: 'eve' } })).status).toBe(400);
    },
  );
});
