import { describe, expect, it } from 'vitest';
import { handler as getAccount } from '../../../functions/account/get-account.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createApiKey, handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler } from '../../../functions/keys/list-api-keys.ts';
import { handler as revokeApiKey } from '../../../functions/keys/revoke-api-key.ts';
import { handler as deleteApnConfig } from '../../../functions/push-settings/delete-apn-config.ts';
import { handler as deleteFcmConfig } from '../../../functions/push-settings/delete-fcm-config.ts';
import { handler as getApnConfig } from '../../../functions/push-settings/get-apn-config.ts';
import { handler as getFcmConfig } from '../../../functions/push-settings/get-fcm-config.ts';
import { handler as saveApnConfig } from '../../../functions/push-settings/save-apn-config.ts';
import { handler as saveFcmConfig } from '../../../functions/push-settings/save-fcm-config.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

describe('GET /keys', () => {
  it('returns every key of the account in full', async () => {
    const account = await createTestAccount(app);
    const { status, json } = await call(handler, { key: account.secret.key });
    expect(status).toBe(200);
    expect(json.keys.map((key: { key: string }) => key.key).sort()).toEqual(
      [account.secret.key, account.public.key].sort(),
    );
  });

  it('returns 401 without a credential, with a wrong or revoked one and with a public key', async () => {
    const account = await createTestAccount(app);
    const made = await call(createApiKey, {
      key: account.secret.key,
      body: { keyType: 'secret', name: 'short-lived' },
    });
    expect((await call(handler, { key: made.json.key })).status).toBe(200);
    await call(revokeApiKey, { key: account.secret.key, path: { keyId: made.json.id } });
    for (const key of [
      undefined,
      `${account.secret.key.slice(0, -1)}!`,
      'a.b.c',
      made.json.key,
      account.public.key,
    ]) {
      const { status, json } = await call(handler, { key });
      expect(status).toBe(401);
      expect(json.error.code).toMatch(/^(UNAUTHORIZED|FORBIDDEN_KEY_TYPE)$/);
    }
  });
});

it('denies a key bound to an environment access to what belongs to the account', async () => {
  const { secret, environment } = await createTestAccount(app);
  const body = { keyType: 'secret', name: 'bound', environmentId: environment.environmentId };
  const { key } = (await call(createKey, { key: secret.key, body })).json;
  const ofAccount = [getAccount, updateAccount, getFcmConfig, saveFcmConfig, deleteFcmConfig];
  const ofPush = [getApnConfig, saveApnConfig, deleteApnConfig];
  for (const handler of [...ofAccount, ...ofPush]) {
    const { status, json } = await call(handler, { key, body: {} });
    expect([status, json.error.code]).toEqual([401, 'FORBIDDEN_KEY_TYPE']);
  }
  expect((await call(getAccount, { key: secret.key })).status).toBe(200);
  expect((await call(saveUser, { key, path: { userId: 'ada' }, body: {} })).status).toBe(200);
});
