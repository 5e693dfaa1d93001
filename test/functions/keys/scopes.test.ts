import { beforeEach, describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listKeys } from '../../../functions/keys/list-api-keys.ts';
import { handler as revokeKey } from '../../../functions/keys/revoke-api-key.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as removeMember } from '../../../functions/members/remove-member.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { memberChanges } from '../../../shared/database/entities/access/member-changes.ts';
import { members } from '../../../shared/database/entities/access/members.ts';
import { scopeOf } from '../../../shared/http/rows/route.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let signIns: string[];
beforeEach(() => {
  signIns = [];
  replace(identity, () => ({ ...sandboxIdentity, remove: async ({ email }) => void signIns.push(email) }));
});

const keyWith = async (scopes: unknown, as = account.secret.key) =>
  (await call(createKey, { key: as, body: { keyType: 'secret', name: 'k', scopes } })).json;

const CALLS = {
  send: (key: string) => call(send, { key, body: { type: 't', to: { id: 'ada' }, inapp: { title: 'x' } } }),
  read: (key: string) => call(listLogs, { key }),
  manage: (key: string) => call(deleteUser, { key, path: { userId: 'ada' } }),
};
const isRefused = async (response: Promise<{ status: number; json: { error?: { message: string } } }>) =>
  (await response).status === 401 && /has no scope/.test((await response).json.error?.message ?? '');

describe('the scopes of a key', () => {
  it.each([
    [['send'], { send: true, read: false, manage: false }],
    [['read'], { send: false, read: true, manage: false }],
    [['manage'], { send: false, read: false, manage: true }],
    [['read', 'send', 'send'], { send: true, read: true, manage: false }],
    [undefined, { send: true, read: true, manage: true }],
  ])('of %j allow %j', async (scopes, allowed) => {
    const { key } = await keyWith(scopes);
    for (const [name, may] of Object.entries(allowed))
      expect([name, await isRefused(CALLS[name as keyof typeof CALLS](key))]).toEqual([name, !may]);
  });

  it.each([[[]], [['admin']], ['send']])('rejects %j', async (scopes) => {
    const { status } = await call(createKey, {
      key: account.secret.key,
      body: { keyType: 'secret', name: 'k', scopes },
    });
    expect(status).toBe(400);
  });

  it('are shown, and a key neither reads keys nor issues wider ones without them', async () => {
    const { key, scopes } = await keyWith(['manage']);
    expect(scopes).toEqual(['manage']);
    expect((await keyWith(undefined, key)).scopes).toEqual(['manage']);
    expect((await keyWith(['send'], key)).error.code).toBe('FORBIDDEN_KEY_TYPE');
    const reader = await keyWith(['read']);
    expect(await isRefused(call(listKeys, { key: reader.key }))).toBe(true);
    const preview = { path: { notificationId: 'x', channel: 'EMAIL', templateId: 'y' }, body: {} };
    expect(await isRefused(call(previewTemplate, { key: reader.key, ...preview }))).toBe(false);
  });

  it('are a column of every route: what sends is send, what changes anything is manage', () => {
    const changing = ROUTES.filter((row) => scopeOf(row) === 'read' && row.method !== 'GET' && !row.readOnly);
    expect(changing).toEqual([]);
    const sending = ROUTES.filter((row) => scopeOf(row) === 'send').map(({ resource }) => resource);
    expect(new Set(sending)).toEqual(new Set(['sending', 'waiting']));
    const secret = ROUTES.filter((row) => row.secrets);
    expect(secret.length).toBeGreaterThan(5);
    expect(secret.filter((row) => scopeOf(row) === 'read')).toEqual([]);
  });
});

async function addAdmin(email = `grace-${newId()}@example.com`) {
  const at = isoOf(app.clock.nowMs);
  const userId = newId();
  const { accountId } = account.account;
  await resolve(memberChanges).invite({
    accountId,
    userId,
    email,
    role: 'admin',
    status: 'invited',
    createdAt: at,
    updatedAt: at,
  });
  const subject = `sub-${userId}`;
  await resolve(memberChanges).accept(accountId, userId, subject, app.clock.nowMs);
  const token = `a.b.${userId}`;
  app.tokens.set(token, subject);
  return { userId, email, token };
}

describe('a removed administrator', () => {
  it.each([
    ['keys keep working and are named', {}, false],
    ['keys are revoked with keys=revoke', { keys: 'revoke' }, true],
  ])('%s; the sign-in is removed', async (_, query, revoked) => {
    const { userId, email, token } = await addAdmin();
    const issued = await keyWith(undefined, token);
    expect(issued).toMatchObject({ issuedBy: userId, revoked: false });
    const { status, json } = await call(removeMember, { key: account.secret.key, path: { userId }, query });
    expect([status, json]).toEqual([
      200,
      { success: true, keys: [{ id: issued.id, name: 'k', keyType: 'secret', revoked }] },
    ]);
    expect(signIns).toEqual([email]);
    expect((await CALLS.read(issued.key)).status).toBe(revoked ? 401 : 200);
    const { keys } = (await call(listKeys, { key: account.secret.key })).json;
    const found = keys.find(({ id }: { id: string }) => id === issued.id);
    expect(found).toMatchObject(
      revoked
        ? { revoked, revokedAt: isoOf(app.clock.nowMs), revokedBy: account.admin.userId, issuedBy: userId }
        : { revoked, issuedBy: userId },
    );
  });

  it('keeps the sign-in while another account has the person', async () => {
    const other = await createTestAccount(app);
    const { email } = other.admin;
    const at = isoOf(app.clock.nowMs);
    const { accountId } = account.account;
    const invited = {
      accountId,
      userId: newId(),
      email,
      role: 'member',
      status: 'invited',
      createdAt: at,
      updatedAt: at,
    } as const;
    await resolve(memberChanges).invite(invited);
    await call(removeMember, { key: account.secret.key, path: { userId: invited.userId } });
    expect(signIns).toEqual([]);
    expect(await resolve(members).find(accountId, invited.userId)).toBeUndefined();
  });
});

it('names who revoked a key, once', async () => {
  const { id } = await keyWith(undefined);
  await call(revokeKey, { key: account.secret.key, path: { keyId: id } });
  const at = isoOf(app.clock.nowMs);
  app.clock.nowMs += 5000;
  await call(revokeKey, { key: account.secret.key, path: { keyId: id } });
  const { keys } = (await call(listKeys, { key: account.secret.key })).json;
  expect(keys.find((each: { id: string }) => each.id === id)).toMatchObject({
    revokedAt: at,
    revokedBy: account.admin.userId,
  });
});
