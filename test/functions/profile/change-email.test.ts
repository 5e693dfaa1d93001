import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as inviteMember } from '../../../functions/members/invite-member.ts';
import { handler as listMembers } from '../../../functions/members/list-members.ts';
import { handler as changeEmail } from '../../../functions/profile/change-email.ts';
import { handler as confirmEmail } from '../../../functions/profile/confirm-email.ts';
import { handler as showPage } from '../../../functions/profile/show-confirm-email.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
const told: { email: string; newEmail: string }[] = [];
const changed: { subject: string; email: string }[] = [];
let fails = false;
beforeAll(() => {
  process.env.PUBLIC_BASE_URL = 'http://localhost:3000';
  replace(identity, () => ({
    ...sandboxIdentity,
    reportChange: async (change) => {
      told.push(change);
      throw new AppError('PROVIDER_ERROR', { provider: 'ses', providerCode: 'Throttling' });
    },
    changeEmail: async (person) => {
      if (fails)
        throw new AppError('PROVIDER_ERROR', { provider: 'cognito', providerCode: 'TooManyRequests' });
      changed.push(person);
    },
  }));
});

const freshEmail = () => `${newId()}@example.com`;
const ask = (key: string, newEmail: string) => call(changeEmail, { key, body: { newEmail } });
const tokenOf = (url: string) => url.replace('http://localhost:3000/confirm-email/', '');
const confirm = (token: string) => call(confirmEmail, { path: { token } });
const memberOf = async (account: TestAccount, userId: string) =>
  (await call(listMembers, { key: account.secret.key })).json.members.find(
    (each: { userId: string }) => each.userId === userId,
  );

describe('POST /profile/change-email', () => {
  it("keeps the caller's address until the new one is confirmed, then changes it at the identity provider", async () => {
    const { member, token, subject } = await addTestMember(app, account, 'member');
    const email = freshEmail();
    const { status, json } = await ask(token, email);
    expect([status, json.success]).toEqual([200, true]);
    expect(await memberOf(account, member.userId)).toMatchObject({
      email: member.email,
      pendingEmail: email,
    });

    const page = await call(showPage, { path: { token: tokenOf(json.confirmationUrl) } });
    expect([page.status, page.response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await memberOf(account, member.userId)).email).toBe(member.email);

    const results = await Promise.all([1, 2, 3].map(() => confirm(tokenOf(json.confirmationUrl))));
    expect(results.map((each) => each.status)).toEqual([200, 200, 200]);
    const after = await memberOf(account, member.userId);
    expect(after.email).toBe(email);
    expect(after).not.toHaveProperty('pendingEmail');
    expect(changed).toContainEqual({ subject, email });
    expect(told).toEqual([{ email: member.email, newEmail: email }]);
    expect((await confirm(tokenOf(json.confirmationUrl))).status).toBe(200);
    const invited = await call(inviteMember, { key: account.secret.key, body: { email: member.email } });
    expect(invited.status).toBe(200);
  });

  it('changes the address of the member who issued the secret key', async () => {
    const email = freshEmail();
    const { json } = await ask(account.secret.key, email);
    await confirm(tokenOf(json.confirmationUrl));
    expect((await memberOf(account, account.admin.userId)).email).toBe(email);
  });

  it('rejects a bound key, and a key whose issuer was removed', async () => {
    const bound = await call(createKey, {
      key: account.secret.key,
      body: { keyType: 'secret', name: 'x', environmentId: account.environment.environmentId },
    });
    const { status, json } = await ask(bound.json.key, freshEmail());
    expect([status, json.error.code]).toEqual([401, 'FORBIDDEN_KEY_TYPE']);
  });

  it('confirms with the latest link only, within a day', async () => {
    const { token } = await addTestMember(app, account, 'member');
    const first = await ask(token, freshEmail());
    const second = await ask(token, freshEmail());
    expect((await confirm(tokenOf(first.json.confirmationUrl))).json.error.code).toBe('RESOURCE_NOT_FOUND');
    const third = await ask(token, freshEmail());
    app.clock.nowMs += 86_400_000;
    expect((await confirm(tokenOf(third.json.confirmationUrl))).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await confirm(tokenOf(second.json.confirmationUrl))).status).toBe(400);
    for (const bad of ['x', 'a.b', '☂', 'x'.repeat(2048)]) {
      expect((await confirm(bad)).status).toBe(400);
      expect((await call(showPage, { path: { token: bad } })).status).toBe(400);
    }
  });

  it('assigns an address to one of two members who confirm it concurrently', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    const [first, second] = [
      await addTestMember(app, mine, 'member'),
      await addTestMember(app, theirs, 'member'),
    ];
    const email = freshEmail();
    const links = [await ask(first.token, email), await ask(second.token, email)];
    const responses = await Promise.all(links.map(({ json }) => confirm(tokenOf(json.confirmationUrl))));
    expect(responses.map((each) => each.status).sort()).toEqual([200, 400]);
    const third = await addTestMember(app, mine, 'member');
    const asked = await ask(third.token, email);
    expect(asked.status).toBe(200);
    const refused = await confirm(tokenOf(asked.json.confirmationUrl));
    expect(refused.json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('changes nothing while the identity provider fails, and works when it has recovered', async () => {
    const { member, token } = await addTestMember(app, account, 'member');
    const email = freshEmail();
    const { json } = await ask(token, email);
    fails = true;
    expect((await confirm(tokenOf(json.confirmationUrl))).status).toBe(502);
    expect((await memberOf(account, member.userId)).email).toBe(member.email);
    fails = false;
    expect((await confirm(tokenOf(json.confirmationUrl))).status).toBe(200);
    expect((await memberOf(account, member.userId)).email).toBe(email);
  });

  it('returns 400 for every invalid address, and cancels a change that requests the current one', async () => {
    const { member, token } = await addTestMember(app, account, 'member');
    const addresses = ['', 'ada', 'a@b', `${'x'.repeat(2048)}@example.com`];
    await expectRefusedValues(changeEmail, { key: token, body: {} }, 'newEmail', [...NOT_TEXT, ...addresses]);
    const { json } = await ask(token, freshEmail());
    expect((await ask(token, member.email)).json).toEqual({ success: true });
    expect((await confirm(tokenOf(json.confirmationUrl))).status).toBe(400);
  });
});
