import { describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listKeys } from '../../../functions/keys/list-api-keys.ts';
import { handler } from '../../../functions/keys/revoke-api-key.ts';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { LAST_USED_PRECISION_MS } from '../../../shared/database/entities/access/key-verifier.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { addTestMember } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const create = async (account: TestAccount, keyType = 'secret') =>
  (await call(createKey, { key: account.secret.key, body: { keyType, name: 'x' } })).json;
const revoke = (key: string, keyId: string) => call(handler, { key, path: { keyId } });
const find = async (account: TestAccount, keyId: string) =>
  (await call(listKeys, { key: account.secret.key })).json.keys.find(
    (each: { id: string }) => each.id === keyId,
  );

describe('DELETE /keys/{keyId}', () => {
  it('revokes a secret key immediately, and GET /keys shows it', async () => {
    const made = await create(account);
    expect((await call(tailLogs, { key: made.key })).status).toBe(200);
    const { status, json } = await revoke(account.secret.key, made.id);
    expect([status, json]).toEqual([200, { message: expect.any(String) }]);
    const after = await call(tailLogs, { key: made.key });
    expect([after.status, after.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await find(account, made.id)).revoked).toBe(true);
    expect((await call(tailLogs, { key: account.secret.key })).status).toBe(200);
  });

  it('revokes a public key immediately', async () => {
    const save = () => call(saveUser, { key: account.public.key, path: { userId: 'ada' }, body: {} });
    expect((await save()).status).toBe(200);
    await revoke(account.secret.key, account.public.id);
    expect((await save()).status).toBe(401);
  });

  it('returns the same response to a repeated request, even when both are concurrent', async () => {
    const made = await create(account);
    const both = await Promise.all([
      revoke(account.secret.key, made.id),
      revoke(account.secret.key, made.id),
    ]);
    const third = await revoke(account.secret.key, made.id);
    expect([...both, third].map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('lets a key revoke itself', async () => {
    const made = await create(account);
    expect((await revoke(made.key, made.id)).status).toBe(200);
    expect((await revoke(made.key, made.id)).status).toBe(401);
  });

  it("returns 400 for unknown IDs and for another account's key, which stays valid", async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    for (const keyId of [
      'nonsense',
      '...',
      'a#b',
      '%23',
      'a/b',
      '日本語',
      account.secret.key.slice(0, 256),
      other.secret.id,
    ]) {
      const { status, json } = await revoke(account.secret.key, keyId);
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      expect(json.error.message).not.toContain(keyId);
    }
    expect((await call(tailLogs, { key: other.secret.key })).status).toBe(200);
    expect(await find(account, 'nonsense')).toBeUndefined();
  });

  it.each(['', 'x'.repeat(2048), 'nul\u0000', 'ü'.repeat(129)])(
    'returns 400 for an invalid ID: %#',
    async (keyId) => {
      const { status, json } = await revoke(account.secret.key, keyId);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it('accepts the access token of an administrator', async () => {
    const admin = await addTestMember(app, account, 'admin');
    const made = await create(account);
    expect((await revoke(admin.token, made.id)).status).toBe(200);
    expect((await call(tailLogs, { key: made.key })).status).toBe(401);
  });
});

describe('lastUsedAt', () => {
  it('appears with the first use, then shows the last use to within five minutes', async () => {
    const made = await create(account);
    const useAt = async (atMs: number) => {
      app.clock.nowMs = atMs;
      expect((await call(tailLogs, { key: made.key })).status).toBe(200);
      return (await find(account, made.id)).lastUsedAt;
    };
    expect((await find(account, made.id)).lastUsedAt).toBeUndefined();
    expect(await useAt(START_MS)).toBe('2026-11-21T08:30:00.000Z');
    expect(await useAt(START_MS + LAST_USED_PRECISION_MS - 1)).toBe('2026-11-21T08:30:00.000Z');
    expect(await useAt(START_MS + LAST_USED_PRECISION_MS)).toBe('2026-11-21T08:35:00.000Z');
    expect(await useAt(START_MS + LAST_USED_PRECISION_MS + 1)).toBe('2026-11-21T08:35:00.000Z');
    app.clock.nowMs = START_MS;
  });

  it('does not change for a rejected credential', async () => {
    const made = await create(account);
    await call(tailLogs, { key: `${made.key.slice(0, -1)}${made.key.endsWith('a') ? 'b' : 'a'}` });
    expect((await find(account, made.id)).lastUsedAt).toBeUndefined();
  });
});
