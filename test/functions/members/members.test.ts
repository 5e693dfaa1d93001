import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as inviteMember } from '../../../functions/members/invite-member.ts';
import { handler as listMembers } from '../../../functions/members/list-members.ts';
import { handler as removeMember } from '../../../functions/members/remove-member.ts';
import { handler as updateMember } from '../../../functions/members/update-member.ts';
import { handler as acceptInvite } from '../../../functions/profile/accept-invite.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let invitePerson = sandboxIdentity.invite;

const newEmail = () => `${newId()}@example.com`;
const invite = (account: TestAccount, body: object) => call(inviteMember, { key: account.secret.key, body });
const list = async (key: string) => (await call(listMembers, { key })).json.members;
const setRole = (key: string, userId: string, role: string, more: object = {}) =>
  call(updateMember, { key, path: { userId }, body: { role }, ...more });
const remove = (key: string, userId: string, query: Record<string, string> = {}) =>
  call(removeMember, { key, path: { userId }, query });

beforeAll(() => {
  replace(identity, () => ({ ...sandboxIdentity, invite: (invitation) => invitePerson(invitation) }));
});
beforeEach(() => {
  invitePerson = sandboxIdentity.invite;
});

describe('PATCH /members/{userId}', () => {
  it('changes the role immediately and accepts envId in query or body', async () => {
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
  const { member, key } = await addTestMember(app, account, 'admin');
  expect((await remove(account.secret.key, member.userId)).json.keys).toMatchObject([{ revoked: false }]);
  const again = (query = {}) => remove(account.secret.key, member.userId, query);
  expect((await again()).status).toBe(400);
  expect((await again({ keys: 'revoke' })).json.keys).toMatchObject([{ revoked: true }]);
  expect((await call(listMembers, { key })).status).toBe(401);
  expect((await again({ keys: 'revoke' })).status).toBe(400);
});

const accept = (token: string, invitationToken: string) =>
  call(acceptInvite, { key: token, body: { token: invitationToken } });
/** A token of the person with this address. */
function personToken(email = newEmail()): string {
  const token = `person.${newId()}.x`;
  app.tokens.set(token, email);
  return token;
}

describe('POST /members and POST /profile/accept_invite', () => {
  it('invite a person, who acts for the account once they have accepted', async () => {
    const email = newEmail();
    const { status, json } = await invite(account, { email });
    expect(status).toBe(200);
    const { invitationToken, ...member } = json;
    expect(member).toMatchObject({ email, role: 'member', status: 'invited' });
    expect(await list(account.secret.key)).toContainEqual(member);

    const person = personToken(email);
    expect((await call(listMembers, { key: person })).status).toBe(401);
    expect(await accept(person, invitationToken)).toMatchObject({ status: 200, json: { success: true } });
    expect(await list(person)).toContainEqual({ ...member, status: 'active' });
    expect((await setRole(person, member.userId, 'admin')).json.error.code).toBe('ADMIN_ONLY');
  });

  it('give an invited administrator their rights', async () => {
    const email = newEmail();
    const { json } = await invite(account, { email, role: 'admin' });
    const person = personToken(email);
    await accept(person, json.invitationToken);
    expect((await setRole(person, account.admin.userId, 'member')).status).toBe(200);
    expect((await invite(account, { email: newEmail() })).json.error.code).toBe('ADMIN_ONLY');
  });

  it('store one invitation per account and address, whatever the letter case', async () => {
    const email = newEmail();
    const spellings = [email, email.toUpperCase(), email];
    const responses = await Promise.all(spellings.map((each) => invite(account, { email: each })));
    expect(responses.map((each) => each.status).sort()).toEqual([200, 400, 400]);
    for (const { status, json } of responses) {
      if (status === 400) expect(json.error.code).toBe('DUPLICATE_RESOURCE');
    }
    const own = await invite(account, { email: account.admin.email.toUpperCase() });
    expect(own.json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('renew an invitation of the same ID that has expired, or with another role', async () => {
    const email = newEmail();
    const first = (await invite(account, { email, role: 'admin' })).json;
    app.clock.nowMs += 8 * 86_400_000;
    expect((await accept(personToken(email), first.invitationToken)).status).toBe(400);
    const again = await invite(account, { email: email.toUpperCase() });
    expect(again).toMatchObject({
      status: 200,
      json: { userId: first.userId, role: 'admin', status: 'invited' },
    });
    expect(await list(account.secret.key)).toHaveLength(2);
    invitePerson = async () => {
      throw new AppError('PROVIDER_ERROR', { provider: 'ses', providerCode: 'Throttling' });
    };
    expect((await invite(account, { email })).status).toBe(502);
    const person = personToken(email);
    expect((await accept(person, again.json.invitationToken)).status).toBe(200);
    expect((await invite(account, { email })).json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('accept an invitation for the person with the invited address only', async () => {
    const email = newEmail();
    const { invitationToken, userId } = (await invite(account, { email })).json;
    for (const other of [newEmail(), 'grace', newId()])
      expect((await accept(personToken(other), invitationToken)).json.error).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        message: expect.stringContaining('another email'),
      });
    expect(await list(account.secret.key)).toContainEqual(
      expect.objectContaining({ userId, status: 'invited' }),
    );
    expect((await accept(personToken(email.toUpperCase()), invitationToken)).status).toBe(200);
  });

  it('do not block other accounts before acceptance, and do not reveal members of other accounts', async () => {
    const [first, second] = [await createTestAccount(app), await createTestAccount(app)];
    const email = newEmail();
    const offers = [await invite(first, { email }), await invite(second, { email })];
    const toMember = await invite(second, { email: first.admin.email });
    expect([...offers, toMember].map((each) => each.status)).toEqual([200, 200, 200]);
    expect((await accept(personToken(email), offers[1]?.json.invitationToken)).status).toBe(200);
    const late = await accept(personToken(email), offers[0]?.json.invitationToken);
    const elsewhere = await accept(personToken(first.admin.email), toMember.json.invitationToken);
    expect([late, elsewhere].map(({ json }) => json.error.code)).toEqual([
      'DUPLICATE_RESOURCE',
      'DUPLICATE_RESOURCE',
    ]);
  });

  it('accept an invitation again for the same person, and never for another', async () => {
    const email = newEmail();
    const { invitationToken } = (await invite(account, { email })).json;
    const [person, other] = [personToken(email), personToken()];
    expect((await accept(person, invitationToken)).status).toBe(200);
    expect((await accept(person, invitationToken)).status).toBe(200);
    expect((await accept(other, invitationToken)).json.error.code).toBe('RESOURCE_NOT_FOUND');
    const second = (await invite(await createTestAccount(app), { email })).json.invitationToken;
    expect((await accept(person, second)).json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('accept one of many people who accept concurrently', async () => {
    const email = newEmail();
    const { invitationToken } = (await invite(account, { email })).json;
    // Sign-ins with the same address in other letter cases.
    const spellings = [...'exampl'].map((letter) => email.replace(letter, letter.toUpperCase()));
    const responses = await Promise.all(spellings.map((each) => accept(personToken(each), invitationToken)));
    expect(responses.filter((each) => each.status === 200)).toHaveLength(1);
  });

  it('expire after seven days or when withdrawn, which releases the address', async () => {
    const email = newEmail();
    const late = (await invite(account, { email: newEmail() })).json;
    const withdrawn = (await invite(account, { email })).json;
    await remove(account.secret.key, withdrawn.userId);
    const refused = await accept(personToken(email), withdrawn.invitationToken);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    expect((await invite(account, { email })).status).toBe(200);
    app.clock.nowMs += 7 * 86_400_000;
    expect((await accept(personToken(late.email), late.invitationToken)).status).toBe(400);
  });

  it('leave nothing behind when an invitation could not be sent', async () => {
    const email = newEmail();
    invitePerson = async () => {
      throw new AppError('PROVIDER_ERROR', { provider: 'ses', providerCode: 'MessageRejected' });
    };
    const failed = await invite(account, { email });
    expect([failed.status, failed.json.error.providerCode]).toEqual([502, 'MessageRejected']);
    expect(await list(account.secret.key)).toHaveLength(1);
    invitePerson = async () => ({});
    const sent = await invite(account, { email });
    expect(sent.status).toBe(200);
    expect(sent.json).not.toHaveProperty('invitationToken');
  });

  it('return 400 for every invalid field', async () => {
    const request = { key: account.secret.key, body: { email: newEmail() } };
    const addresses = ['', 'ada', '@e.com', 'a@b', 'a b@example.com', `${'x'.repeat(2048)}@example.com`];
    await expectRefusedValues(inviteMember, request, 'email', [...NOT_TEXT, ...addresses]);
    await expectRefusedValues(inviteMember, request, 'role', [
      null,
      7,
      '',
      'owner',
      'ADMIN',
      'x'.repeat(2048),
    ]);
    expect(await list(account.secret.key)).toHaveLength(1);
    const values = [...NOT_TEXT, '', ' ', 'x'.repeat(2048)];
    await expectRefusedValues(acceptInvite, { key: personToken(), body: {} }, 'token', values);
    for (const token of ['x', 'a.b', 'a.b.c', '☂'])
      expect((await accept(personToken(), token)).status).toBe(400);
  });

  it('return 401 for API keys, unknown tokens and none in POST /profile/accept_invite', async () => {
    const { invitationToken } = (await invite(account, { email: newEmail() })).json;
    for (const key of [undefined, 'a.b.c', 'nds_sk_x', account.secret.key, account.public.key]) {
      expect((await call(acceptInvite, { key, body: { token: invitationToken } })).status).toBe(401);
    }
  });
});
