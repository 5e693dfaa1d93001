import { describe, expect, it } from 'vitest';
import { handler as createApiKey } from '../../../functions/keys/create-api-key.ts';
import { handler } from '../../../functions/keys/list-api-keys.ts';
import { handler as revokeApiKey } from '../../../functions/keys/revoke-api-key.ts';
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
