import { beforeAll, expect, it } from 'vitest';
import { handler as inviteMember } from '../../../functions/members/invite-member.ts';
import { handler as removeMember } from '../../../functions/members/remove-member.ts';
import { handler as acceptInvite } from '../../../functions/profile/accept-invite.ts';
import { accountCreation } from '../../../shared/database/entities/accounts/account-creation.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';

import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  replace(identity, () => sandboxIdentity);
});

const create = (adminEmail: string) =>
  resolve(accountCreation).createAccount({
    name: 'Shop',
    adminEmail,
    nowMs: app.clock.nowMs,
    secureMode: true,
  });

it('creates exactly one of two accounts requested concurrently with the same first administrator', async () => {
  const name = newId();
  const made = await Promise.allSettled([
    create(`${name}@example.com`),
    create(`${name.toUpperCase()}@Example.com`),
  ]);
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = made.find((each) => each.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'DUPLICATE_RESOURCE' });
  const listed = await app.database.queryAll('DEPLOYMENT', 'ACCOUNT#');
  expect(listed.filter((each) => each.name === 'Shop')).toHaveLength(1);
});

it('keeps the first administrator of an account from joining another until they are removed', async () => {
  const { admin, secret } = await createTestAccount(app);
  const other = await createTestAccount(app);
  const invite = (key: string, email: string, role = 'member') =>
    call(inviteMember, { key, body: { email, role } });
  const accept = (invitation: string, email: string) => {
    const token = `person.${newId()}.x`;
    app.tokens.set(token, email);
    return call(acceptInvite, { key: token, body: { token: invitation } });
  };
  const offered = (await invite(other.secret.key, admin.email)).json.invitationToken;
  const refused = await accept(offered, admin.email);
  expect([refused.status, refused.json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
  const email = `${newId()}@example.com`;
  await accept((await invite(secret.key, email, 'admin')).json.invitationToken, email);
  const issuer = await call(removeMember, { key: secret.key, path: { userId: admin.userId } });
  expect(issuer.status).toBe(200);
  expect((await accept(offered, admin.email)).status).toBe(200);
});
