import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

async function accountWithUsers(count: number, stepMs = 1): Promise<TestAccount> {
  const account = await createTestAccount(app);
  for (let index = 0; index < count; index += 1) {
    app.clock.nowMs += stepMs;
    await call(saveUser, { key: account.secret.key, path: { userId: `user-${index}` }, body: {} });
  }
  return account;
}

const idsOf = (json: { users: { id: string }[] }) => json.users.map((user) => user.id);

describe('GET /users', () => {
  it('returns an empty list for an environment without users', async () => {
    const { secret } = await createTestAccount(app);
    const { status, json } = await call(handler, { key: secret.key });
    expect([status, json]).toEqual([200, { users: [] }]);
  });

  it.each(['cursor', 'nextToken'])('pages newest first by %s and returns each user once', async (name) => {
    const { secret } = await accountWithUsers(7);
    const seen: string[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const { status, json } = await call(handler, {
        key: secret.key,
        query: { limit: '3', ...(token ? { [name]: token } : {}) },
      });
      expect(status).toBe(200);
      seen.push(...idsOf(json));
      token = json.nextToken;
      pages += 1;
    } while (token);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `user-${index}`));
    expect(pages).toBe(3);
  });

  it('returns every user created in the same millisecond', async () => {
    const { secret } = await accountWithUsers(5, 0);
    const first = await call(handler, { key: secret.key, query: { limit: '2' } });
    const second = await call(handler, {
      key: secret.key,
      query: { limit: '3', cursor: first.json.nextToken },
    });
    expect(new Set([...idsOf(first.json), ...idsOf(second.json)]).size).toBe(5);
    expect(second.json).not.toHaveProperty('nextToken');
  });

  it('keeps its order when a user is updated', async () => {
    const { secret } = await accountWithUsers(2);
    await call(saveUser, { key: secret.key, path: { userId: 'user-0' }, body: { email: 'a@example.com' } });
    const { json } = await call(handler, { key: secret.key });
    expect(idsOf(json)).toEqual(['user-1', 'user-0']);
    expect(json.users[1].email).toBe('a@example.com');
  });

  it.each(['0', '101', '-1', '1.5', 'ten', '', '9'.repeat(2048)])(
    'returns 400 for the limit %.9s',
    async (limit) => {
      const { secret } = await createTestAccount(app);
      const { status, json } = await call(handler, { key: secret.key, query: { limit } });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it('returns 400 for a cursor that was changed or is from another account', async () => {
    const [mine, theirs] = [await accountWithUsers(2), await accountWithUsers(2)];
    const { json } = await call(handler, { key: theirs.secret.key, query: { limit: '1' } });
    for (const cursor of [json.nextToken, `x${json.nextToken}`, 'x', '', 'x'.repeat(5000)]) {
      const refused = await call(handler, { key: mine.secret.key, query: { cursor } });
      expect([refused.status, refused.json.error.code]).toEqual([400, 'INVALID_CURSOR']);
      expect(refused.json.error.fix).toBe('Send nextToken of the previous page, unchanged.');
    }
  });
});
