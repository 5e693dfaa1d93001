import { describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler } from '../../../functions/users/save-user.ts';
import { keyring } from '../../../shared/database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  environments,
} from '../../../shared/database/entities/accounts/environments.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { ada, app, useUsers } from './save-user-setup.ts';

useUsers();

describe('a public key in secure mode', () => {
  it('requires the hash of the user; a secret key requires none', async () => {
    const account = await createTestAccount(app);
    const { accountId } = account.account;
    const { environmentId, sealedSecret } = account.environment;
    await resolve(environments).update(accountId, environmentId, { secureMode: true });
    const clientSecret = await resolve(keyring).decrypt(
      clientSecretContext(accountId, environmentId),
      sealedSecret,
    );
    const withHash = (hash?: string) => ({
      key: account.public.key,
      path: ada,
      body: {},
      ...(hash === undefined ? {} : { headers: { 'x-user-hash': hash } }),
    });
    for (const hash of [
      undefined,
      '',
      'wrong',
      userHashOf(clientSecret, 'eve'),
      userHashOf('other', 'ada'),
    ]) {
      const { status, json } = await call(handler, withHash(hash));
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await call(getUser, withHash(hash))).status).toBe(401);
    }
    expect((await call(handler, withHash(userHashOf(clientSecret, 'ada')))).status).toBe(200);
    expect((await call(getUser, withHash(userHashOf(clientSecret, 'ada')))).status).toBe(200);
    expect((await call(getUser, { key: account.secret.key, path: ada })).status).toBe(200);
  });
});
