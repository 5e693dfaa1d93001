import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as inviteMember } from '../../../functions/members/invite-member.ts';
import { handler as listMembers } from '../../../functions/members/list-members.ts';
import { handler as removeMember } from '../../../functions/members/remove-member.ts';
import { handler as updateMember } from '../../../functions/members/update-member.ts';
import { handler as acceptInvite } from '../../../functions/profile/accept-invite.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { newId } from '../../../shared/runtime/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';
import { call, createTestAccount, createTestApp, type TestAccount, type TestApp } from '../../support/app.ts';
import { addTestMember, expectRefusedValues, itRefusesStrangers, NOT_TEXT } from '../../support/strangers.ts';

let app: TestApp;
let invitePerson = sandboxIdentity.invite;
beforeAll(async () => {
  app = await createTestApp();
  replace(identity, () => ({ ...sandboxIdentity, invite: (invitation) => invitePerson(invitation) }));
});
beforeEach(() => {
  invitePerson = sandboxIdentity.invite;
});

const newEmail = () => `${newId()}@example.com`;
const invite = (account: TestAccount, body: object) => call(inviteMember, { key: account.secret.key, body });
const list = async (key: string) => (await call(listMembers, { key })).json.members;
const setRole = (key: string, userId: string, role: string, more: object = {}) =>
  call(updateMember, { key, path: { userId }, body: { role }, ...more });
const remove = (key: string, userId: string) => call(removeMember, { key, path: { userId } });
const accept = (token: string, invitationToken: string) =>
  call(acceptInvite, { key: token, body: { token: invitationToken } });
function personToken(): string {
  const token = `person.${newId()}.x`;
  app.tokens.set(token, `sub-${newId()}`);
  return token;
}

describe('POST /members and POST /profile/accept_invite', () => {
  it('invite a person, who acts for the account once they have accepted', async () => {
    const account = await createTestAccount(app);
    const email = newEmail();
    const { status, json } = await invite(account, { email });
    expect(status).toBe(200);
    const { invitationToken, ...member } = json;
    expect(member).toMatchObject({ email, role: 'member', status: 'invited' });
    expect(await list(account.secret.key)).toContainEqual(member);

    const person = personToken();
    expect((await call(listMembers, { key: person })).status).toBe(401);
    expect(await accept(person, invitationToken)).toMatchObject({ status: 200, json: { success: true } });
    expect(await list(person)).toContainEqual({ ...member, status: 'active' });
    expect((await setRole(person, member.userId, 'admin')).json.error.code).toBe('ADMIN_ONLY');
  });

  it('give an invited administrator their rights', async () => {
    const account = await createTestAccount(app);
    const { json } = await invite(account, { email: newEmail(), role: 'admin' });
    const person = personToken();
    await accept(person, json.invitationToken);
    expect((await setRole(person, account.admin.userId, 'member')).status).toBe(200);
    expect((await invite(account, { email: newEmail() })).json.error.code).toBe('ADMIN_ONLY');
  });

  it('are stored once per account and address, whatever the letter case', async () => {
    const account = await createTestAccount(app);
    const email = newEmail();
    const spellings = [email, email.toUpperCase(), email];
    const answers = await Promise.all(spellings.map((each) => invite(account, { email: each })));
    expect(answers.map((each) => each.status).sort()).toEqual([200, 400, 400]);
    for (const { status, json } of answers) {
      if (status === 400) expect(json.error.code).toBe('DUPLICATE_RESOURCE');
    }
    const own = await invite(account, { email: account.admin.email.toUpperCase() });
    expect(own.json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('block no other account until somebody accepts, and do not reveal who is a member elsewhere', async () => {
    const [first, second] = [await createTestAccount(app), await createTestAccount(app)];
    const email = newEmail();
    const offers = [await invite(first, { email }), await invite(second, { email })];
    const toMember = await invite(second, { email: first.admin.email });
    expect([...offers, toMember].map((each) => each.status)).toEqual([200, 200, 200]);
    expect((await accept(personToken(), offers[1]?.json.invitationToken)).status).toBe(200);
    const late = await accept(personToken(), offers[0]?.json.invitationToken);
    const elsewhere = await accept(personToken(), toMember.json.invitationToken);
    expect([late, elsewhere].map(({ json }) => json.error.code)).toEqual([
      'DUPLICATE_RESOURCE',
      'DUPLICATE_RESOURCE',
    ]);
  });

  it('accept an invitation again for the same person, and never for another', async () => {
    const account = await createTestAccount(app);
    const { invitationToken } = (await invite(account, { email: newEmail() })).json;
    const [person, other] = [personToken(), personToken()];
    expect((await accept(person, invitationToken)).status).toBe(200);
    expect((await accept(person, invitationToken)).status).toBe(200);
    expect((await accept(other, invitationToken)).json.error.code).toBe('RESOURCE_NOT_FOUND');
    const second = (await invite(account, { email: newEmail() })).json.invitationToken;
    expect((await accept(person, second)).json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('let one of many people who accept concurrently win', async () => {
    const account = await createTestAccount(app);
    const { invitationToken } = (await invite(account, { email: newEmail() })).json;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => accept(personToken(), invitationToken)),
    );
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
  });

  it('end an invitation after seven days, and when it is withdrawn; the address is free again', async () => {
    const account = await createTestAccount(app);
    const email = newEmail();
    const late = (await invite(account, { email: newEmail() })).json;
    const withdrawn = (await invite(account, { email })).json;
    await remove(account.secret.key, withdrawn.userId);
    const refused = await accept(personToken(), withdrawn.invitationToken);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    expect((await invite(account, { email })).status).toBe(200);
    app.clock.nowMs += 7 * 86_400_000;
    expect((await accept(personToken(), late.invitationToken)).status).toBe(400);
  });

  it('leave no trace of an invitation that could not be sent', async () => {
    const account = await createTestAccount(app);
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

  it('reject every unusable field', async () => {
    const account = await createTestAccount(app);
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

  it('reject API keys, unknown tokens and none in POST /profile/accept_invite', async () => {
    const account = await createTestAccount(app);
    const { invitationToken } = (await invite(account, { email: newEmail() })).json;
    for (const key of [undefined, 'a.b.c', 'nds_sk_x', account.secret.key, account.public.key]) {
      expect((await call(acceptInvite, { key, body: { token: invitationToken } })).status).toBe(401);
    }
  });
});

describe('PATCH /members/{userId}', () => {
  it('changes the role, accepts envId in query or body, and applies immediately', async () => {
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

  it('keeps the last administrator, also when two demote each other concurrently', async () => {
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

  it('knows no member of another account, and none that does not exist', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    const { member } = await addTestMember(app, mine, 'member');
    for (const userId of [member.userId, mine.admin.userId, 'nobody', '☂', 'x'.repeat(256)]) {
      for (const answer of [
        await setRole(theirs.secret.key, userId, 'admin'),
        await remove(theirs.secret.key, userId),
      ]) {
        expect([answer.status, answer.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      }
    }
    expect(await list(mine.secret.key)).toHaveLength(2);
    expect(await list(theirs.secret.key)).toHaveLength(1);
  });

  it('rejects every unusable role', async () => {
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
  it('stops the tokens of the member and takes their keys the rights of an administrator', async () => {
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

describe('members', () => {
  describe('list', () => itRefusesStrangers(() => app, listMembers, 'server'));
  describe('invite', () =>
    itRefusesStrangers(() => app, inviteMember, 'admin', { body: { email: 'x@example.com' } }));
  describe('update', () =>
    itRefusesStrangers(() => app, updateMember, 'admin', { path: { userId: 'x' }, body: { role: 'admin' } }));
  describe('remove', () => itRefusesStrangers(() => app, removeMember, 'admin', { path: { userId: 'x' } }));
});
