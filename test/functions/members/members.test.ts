import { describe, expect, it } from 'vitest';
import { handler as listMembers } from '../../../functions/members/list-members.ts';
import { handler as updateMember } from '../../../functions/members/update-member.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { app, invite, list, newEmail, remove, setRole, useMembers } from './members-setup.ts';

useMembers();

describe('PATCH /members/{userId}', () => {
  it('changes the role immediately and accepts envId in query or body', async () => {
    const account = await createTestAccount(app);
    const { member, token } = await addTestMember(app, account, 'member');
    const more = { query: { envId: 'any' } };
    expect(await setRole(account.secret.key, member.userId, 'admin', more)).toMatchObject({
      status: 200,
      json: { success: true },
    });
    const own = await setRole(token, member.userId, 'member', { body: { role: 'member', envId: 7 } });
    expect(own.status).toBe(200);
    expect((await setRole(token, member.userId, 'admin')).json.error.code).toBe('ADMIN_ONLY');
  });

  it('keeps the last administrator, even when two demote each other concurrently', async () => {
    const account = await createTestAccount(app);
    const { admin } = account;
    expect((await setRole(account.secret.key, admin.userId, 'member')).json.error.code).toBe('LAST_ADMIN');
    expect((await remove(account.secret.key, admin.userId)).json.error.code).toBe('LAST_ADMIN');
    expect((await setRole(account.secret.key, admin.userId, 'admin')).status).toBe(200);
    await invite(account, { email: newEmail(), role: 'admin' });
    expect((await setRole(account.secret.key, admin.userId, 'member')).json.error.code).toBe('LAST_ADMIN');

    for (let round = 0; round < 5; round += 1) {
      const others = await Promise.all(Array.from({ length: 3 }, () => addTestMember(app, account, 'admin')));
      const [first, second, third] = others;
      if (!first || !second || !third) throw new Error('three members');
      const ids = [first, second, third].map((each) => each.member.userId);
      const results = await Promise.all([
        setRole(first.token, ids[1] ?? '', 'member'),
        setRole(second.token, ids[2] ?? '', 'member'),
        remove(third.token, ids[0] ?? ''),
        remove(account.secret.key, admin.userId),
      ]);
      const stored = await app.database.queryAll(`ACCOUNT#${account.account.accountId}`, 'MEMBER#', {
        consistent: true,
      });
      const admins = stored.filter((each) => each.role === 'admin' && each.status === 'active');
      expect(admins.length, JSON.stringify(results.map((each) => each.json))).toBeGreaterThanOrEqual(1);
      if (!stored.some((each) => each.userId === admin.userId)) break;
    }
  });

  it('returns 400 for a member of another account and for an unknown one', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    const { member } = await addTestMember(app, mine, 'member');
    for (const userId of [member.userId, mine.admin.userId, 'nobody', '☂', 'x'.repeat(256)]) {
      for (const response of [
        await setRole(theirs.secret.key, userId, 'admin'),
        await remove(theirs.secret.key, userId),
      ]) {
        expect([response.status, response.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      }
    }
    expect(await list(mine.secret.key)).toHaveLength(2);
    expect(await list(theirs.secret.key)).toHaveLength(1);
  });

  it('returns 400 for every invalid role', async () => {
    const account = await createTestAccount(app);
    const request = { key: account.secret.key, path: { userId: account.admin.userId }, body: {} };
    const roles = [...NOT_TEXT, '', 'owner', 'Admin', 'x'.repeat(2048)];
    await expectRefusedValues(updateMember, request, 'role', roles);
    expect((await setRole(account.secret.key, 'x'.repeat(2048), 'admin')).json.error.code).toBe(
      'INVALID_REQUEST',
    );
  });
});

describe('DELETE /members/{userId}', () => {
  it("revokes the tokens of the member and the administrators' rights of their keys", async () => {
    const account = await createTestAccount(app);
    const { member, token, key } = await addTestMember(app, account, 'admin');
    expect((await setRole(key, member.userId, 'admin')).status).toBe(200);
    expect(await remove(account.secret.key, member.userId)).toMatchObject({ json: { success: true } });
    expect((await call(listMembers, { key: token })).status).toBe(401);
    expect((await call(listMembers, { key })).status).toBe(200);
    expect((await setRole(key, account.admin.userId, 'admin')).json.error.code).toBe('ADMIN_ONLY');
    expect((await remove(account.secret.key, member.userId)).status).toBe(400);
    expect((await invite(account, { email: member.email })).status).toBe(200);
  });
});

it('revokes the keys of a member who was removed before', async () => {
  const account = await createTestAccount(app);
  const { member, key } = await addTestMember(app, account, 'admin');
  expect((await remove(account.secret.key, member.userId)).json.keys).toMatchObject([{ revoked: false }]);
  const again = (query = {}) => remove(account.secret.key, member.userId, query);
  expect((await again()).status).toBe(400);
  expect((await again({ keys: 'revoke' })).json.keys).toMatchObject([{ revoked: true }]);
  expect((await call(listMembers, { key })).status).toBe(401);
  expect((await again({ keys: 'revoke' })).status).toBe(400);
});
