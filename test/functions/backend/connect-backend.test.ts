import { describe, expect, it } from 'vitest';
import { handler as connect } from '../../../functions/backend/connect-backend.ts';
import { handler as disconnect } from '../../../functions/backend/disconnect-backend.ts';
import { settingKey } from '../../../shared/database/keys/account.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import {
  app,
  connected,
  connectWith,
  freshGrant,
  platform,
  projects,
  SECRETS,
  setSecrets,
  status,
  useBackend,
} from './backend-setup.ts';

useBackend();

const stored = (account: TestAccount) => app.database.get(settingKey(account.account.accountId, 'backend'));

describe('POST /account/backend/oauth', () => {
  it('connects the account with code and verifier and stores the tokens encrypted', async () => {
    const account = await createTestAccount(app);
    expect(await status(account)).toEqual({ connected: false });
    expect(await connectWith(account, freshGrant())).toMatchObject({ status: 200, json: { success: true } });
    expect(await status(account)).toEqual({ connected: true, connectedAt: '2026-11-21T08:30:00.000Z' });
    expect(JSON.stringify(await stored(account))).not.toContain('sbp_');
  });

  it('returns 400 for a used code, another verifier and another redirect URI', async () => {
    const account = await createTestAccount(app);
    const used = freshGrant();
    await connectWith(account, used);
    const refused = [
      used,
      { ...freshGrant(), code_verifier: 'another' },
      { ...freshGrant(), redirect_uri: 'http://localhost:5173/cb' },
    ];
    for (const body of refused) {
      const { status, json } = await connectWith(account, body);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
    expect((await projects(account)).status).toBe(200);
  });

  it('does not call the platform for a redirect URI that is not on the list', async () => {
    const account = await createTestAccount(app);
    const calls = platform.calls.length;
    const { status, json } = await connectWith(account, {
      ...freshGrant(),
      redirect_uri: 'https://evil.example.com/',
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(platform.calls).toHaveLength(calls);
  });

  it("returns 502 with the platform's code when it fails or rejects the deployment", async () => {
    const account = await createTestAccount(app);
    const replies = [
      [{ status: 429, body: {} }, '429'],
      [{ status: 503, body: 'down' }, '503'],
      [{ status: 200, body: '{"access_token":1}' }, 'UNREADABLE_ANSWER'],
      ['drop', 'UND_ERR_SOCKET'],
    ] as const;
    for (const [reply, providerCode] of replies) {
      platform.respondWith('POST /v1/oauth/token', reply);
      const { status, json } = await connectWith(account, freshGrant());
      const error = { code: 'PROVIDER_ERROR', provider: 'backend-platform', providerCode };
      expect([status, json.error]).toEqual([502, expect.objectContaining(error)]);
    }
    setSecrets({ ...SECRETS, BACKEND_PLATFORM_CLIENT_SECRET: 'wrong' });
    const refused = await connectWith(account, freshGrant());
    setSecrets({});
    const unconfigured = await connectWith(account, freshGrant());
    setSecrets(SECRETS);
    expect([unconfigured.status, unconfigured.json.error.providerCode]).toEqual([502, 'NOT_CONFIGURED']);
    expect([refused.status, refused.json.error.providerCode]).toEqual([502, 'invalid_client']);
    expect(await status(account)).toEqual({ connected: false });
  });

  it('returns 400 for every invalid field', async () => {
    const account = await createTestAccount(app);
    const request = { key: account.secret.key, body: freshGrant() };
    const texts = [...NOT_TEXT, '', ' ', 'x'.repeat(2049)];
    for (const field of ['code', 'redirect_uri', 'code_verifier']) {
      await expectRefusedValues(connect, request, field, texts);
    }
    await expectRefusedValues(connect, request, 'redirect_uri', ['callback', 'javascript:alert(1)']);
  });
});

describe('DELETE /account/backend', () => {
  it('deletes and revokes the tokens, and can be repeated', async () => {
    const account = await connected();
    const revoked = platform.calls.filter((each) => each === 'POST /v1/oauth/revoke').length;
    for (let round = 0; round < 2; round += 1) {
      const { status, json } = await call(disconnect, { key: account.secret.key });
      expect([status, json.success]).toEqual([200, true]);
    }
    expect(platform.calls.filter((each) => each === 'POST /v1/oauth/revoke')).toHaveLength(revoked + 1);
    expect(await status(account)).toEqual({ connected: false });
    expect(await stored(account)).toBeUndefined();
  });

  it('disconnects even when the platform does not respond', async () => {
    const account = await connected();
    platform.respondWith('POST /v1/oauth/revoke', 'drop');
    expect((await call(disconnect, { key: account.secret.key })).status).toBe(200);
    expect(await status(account)).toEqual({ connected: false });
  });
});

describe('the backend platform connection', () => {
  it('stays invisible to other accounts, and unchanged by them', async () => {
    const [mine, theirs] = [await connected(), await createTestAccount(app)];
    expect(await status(theirs)).toEqual({ connected: false });
    expect((await projects(theirs)).json.error.code).toBe('NOT_CONNECTED');
    await call(disconnect, { key: theirs.secret.key });
    expect((await projects(mine)).status).toBe(200);
  });
});
