import { beforeEach, describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../../functions/keys/create-api-key.ts';
import { handler as listKeys } from '../../../../functions/keys/list-api-keys.ts';
import { handler as administer } from '../../../../functions/workers/accounts/administer-accounts.ts';
import { database } from '../../../../shared/database/database.ts';
import { signer } from '../../../../shared/database/entities/access/deployment-secret.ts';
import { accountListKey } from '../../../../shared/database/keys/account.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { newId } from '../../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../../shared/services/identity/identity.ts';
import type { Identity } from '../../../../shared/services/identity/identity-port.ts';
import { readExpiringToken, writeExpiringToken } from '../../../../shared/tokens/expiring-token.ts';
import { call } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
const run = async (event: unknown): Promise<any> => administer(event);
const newEmail = () => `owner-${newId()}@example.com`;

/** A pool that derives everybody's subject from their email. */
const pool: Identity = { ...sandboxIdentity, register: async ({ email }) => ({ subject: `sub-${email}` }) };
const usePool = (register: Identity['register']) => replace(identity, () => ({ ...pool, register }));

beforeEach(() => usePool(pool.register));

it('lists and opens accounts while another one is being deleted', async () => {
  const { accountId } = await run({ action: 'create', name: 'Shop', email: newEmail() });
  // Its own item is deleted, and its entry of the list was read before.
  const gone = newId();
  await resolve(database).put({ ...accountListKey(gone), accountId: gone });
  const ids = (await run({ action: 'list' })).accounts.map((each: { accountId: string }) => each.accountId);
  expect([ids.includes(accountId), ids.includes(gone)]).toEqual([true, false]);
  expect((await run({ action: 'first' })).isNew).toBe(false);
});

describe('create', () => {
  it("creates an account with an administrators' secret key and a public key without those rights", async () => {
    const email = newEmail();
    const made = await run({ action: 'create', name: 'Shop', email });
    expect(made).toMatchObject({ name: 'Shop', isNew: true, signIn: 'ready', admin: { email } });
    const listed = await call(listKeys, { key: made.secretKey });
    expect(listed.json.keys.map((each: { key: string }) => each.key)).toEqual(
      expect.arrayContaining([made.secretKey, made.publicKey]),
    );
    expect((await call(listKeys, { key: made.publicKey })).status).toBe(401);
  });

  it("makes the administrator's access tokens work", async () => {
    const email = newEmail();
    await run({ action: 'create', name: 'Shop', email });
    const token = `head.${newId()}.sign`;
    app.tokens.set(token, `sub-${email}`);
    expect((await call(listKeys, { key: token })).status).toBe(200);
  });

  it('creates the account and reports it when the administrator cannot be registered', async () => {
    usePool(() => Promise.reject(new AppError('PROVIDER_ERROR')));
    const made = await run({ action: 'create', name: 'Shop', email: newEmail() });
    expect(made.signIn).toBe('failed');
    expect((await call(listKeys, { key: made.secretKey })).status).toBe(200);
  });

  it('connects the sign-in to the first token when the subject is not known in advance', async () => {
    usePool(sandboxIdentity.register);
    expect((await run({ action: 'create', name: 'Shop', email: newEmail() })).signIn).toBe(
      'with the first token',
    );
  });

  it.each([
    [{ action: 'create', name: 'Shop' }, 'email'],
    [{ action: 'create', name: ' ', email: 'a@example.com' }, 'name'],
    [{ action: 'create', name: 'Shop', email: 'nobody' }, 'email'],
    [{ action: 'disable' }, 'accountId'],
    [{ action: 'explode' }, 'action'],
    ['list', 'event'],
    [undefined, 'event'],
  ])('names the invalid fields of %o', async (event, field) => {
    const { error } = await run(event);
    expect([error.code, error.message]).toEqual([
      'INVALID_REQUEST',
      `These fields are missing or invalid: ${field}.`,
    ]);
  });
});

describe('key', () => {
  it("issues another secret key with administrators' rights", async () => {
    const { accountId } = await run({ action: 'create', name: 'Shop', email: newEmail() });
    const { secretKey } = await run({ action: 'key', accountId });
    expect((await call(listKeys, { key: secretKey })).json.keys).toHaveLength(3);
  });

  it('rejects an unknown or disabled account', async () => {
    expect((await run({ action: 'key', accountId: 'nobody' })).error.code).toBe('RESOURCE_NOT_FOUND');
    const { accountId } = await run({ action: 'create', name: 'Shop', email: newEmail() });
    await run({ action: 'disable', accountId });
    expect((await run({ action: 'key', accountId })).error.code).toBe('UNAUTHORIZED');
  });
});

describe('revoke-key', () => {
  it('revokes the key with this text, and no other', async () => {
    const { accountId, secretKey } = await run({ action: 'create', name: 'Shop', email: newEmail() });
    const { secretKey: second } = await run({ action: 'key', accountId });
    expect(await run({ action: 'revoke-key', key: second })).toEqual({ revoked: true });
    expect((await call(listKeys, { key: second })).status).toBe(401);
    expect((await call(listKeys, { key: secretKey })).status).toBe(200);
  });

  it.each(['', 'nds_sk_a_b', `nds_sk_nobody_none_${'x'.repeat(32)}`])(
    'revokes nothing for %j',
    async (key) => {
      expect(await run({ action: 'revoke-key', key })).toEqual({ revoked: false });
    },
  );
});

describe('disable and enable', () => {
  it('reject an unknown account', async () => {
    for (const action of ['disable', 'enable'])
      expect((await run({ action, accountId: 'nobody' })).error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('can be repeated', async () => {
    const { accountId, secretKey } = await run({ action: 'create', name: 'Shop', email: newEmail() });
    for (const action of ['disable', 'disable', 'enable', 'enable']) await run({ action, accountId });
    expect((await call(listKeys, { key: secretKey })).status).toBe(200);
  });

  it('revoke every key, including keys created at the same moment', async () => {
    const { accountId, secretKey } = await run({ action: 'create', name: 'Shop', email: newEmail() });
    const made = Array.from({ length: 12 }, () =>
      call(createKey, { key: secretKey, body: { keyType: 'secret', name: 'race' } }),
    );
    const [, ...responses] = await Promise.all([run({ action: 'disable', accountId }), ...made]);
    const keys = responses.flatMap(({ json }) => (json.key ? [json.key] : []));
    for (const key of [secretKey, ...keys]) expect((await call(listKeys, { key })).status).toBe(401);
  });

  it('leave all keys in the same state when they are concurrent', async () => {
    const { accountId, secretKey, publicKey } = await run({
      action: 'create',
      name: 'Shop',
      email: newEmail(),
    });
    await Promise.all(['disable', 'enable', 'disable', 'enable'].map((action) => run({ action, accountId })));
    const { accounts } = await run({ action: 'list' });
    const { disabled } = accounts.find((each: { accountId: string }) => each.accountId === accountId);
    const { status } = await call(listKeys, { key: secretKey });
    expect(status === 401).toBe(disabled);
    const response = await call(listKeys, { key: publicKey });
    expect(response.json.error.code).toBe(disabled ? 'UNAUTHORIZED' : 'FORBIDDEN_KEY_TYPE');
  });
});

describe('rotate-secret', () => {
  it('keeps invitations valid unless the old secret has leaked', async () => {
    const invitation = { accountId: 'a', memberId: 'm', subject: '' };
    const expiresAtMs = app.clock.nowMs + 60_000;
    const token = await writeExpiringToken(resolve(signer), 'member-invitation', invitation, expiresAtMs);
    const read = () => readExpiringToken(resolve(signer), 'member-invitation', token, app.clock.nowMs);
    expect(await run({ action: 'rotate-secret' })).toEqual({ rotated: true, leaked: false });
    expect(await read()).toEqual(invitation);
    expect(await run({ action: 'rotate-secret', leaked: true })).toEqual({ rotated: true, leaked: true });
    expect(await read()).toBeUndefined();
  });
});
