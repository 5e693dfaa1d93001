import { beforeAll, describe, expect, it } from 'vitest';
import { handler as configure } from '../../../functions/backend/configure-backend.ts';
import { handler as connect } from '../../../functions/backend/connect-backend.ts';
import { handler as disconnect } from '../../../functions/backend/disconnect-backend.ts';
import { handler as getStatus } from '../../../functions/backend/get-backend-status.ts';
import { handler as listProjects } from '../../../functions/backend/list-backend-projects.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { domainKey, settingKey } from '../../../shared/database/keys/account.ts';
import { secrets } from '../../../shared/providers/settings/secrets.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { backendPlatform } from '../../../shared/services/backend-platform/backend-platform.ts';
import { createLiveBackendPlatform } from '../../../shared/services/backend-platform/live-backend-platform.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import {
  PLATFORM_CLIENT,
  PLATFORM_PROJECT,
  startBackendPlatformFake,
} from '../../support/fakes/backend-platform.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const SETTINGS = {
  BACKEND_SMTP_HOST: 'smtp.example.com',
  BACKEND_PLATFORM_REDIRECT_URIS: 'https://app.example.com/callback, http://localhost:5173/cb',
};
const REDIRECT = 'https://app.example.com/callback';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const SECRETS: Record<string, string> = {
  BACKEND_PLATFORM_CLIENT_ID: PLATFORM_CLIENT.id,
  BACKEND_PLATFORM_CLIENT_SECRET: PLATFORM_CLIENT.secret,
  BACKEND_SMTP_USER: 'smtp-user',
  BACKEND_SMTP_PASSWORD: 'smtp-password',
};
const app = useApp();
const account = useAccount(app, 'test');
const platform = useStarted(startBackendPlatformFake);
let known: Record<string, string> = SECRETS;

function freshGrant() {
  const code = newId();
  platform.authorize(code, REDIRECT, VERIFIER);
  return { code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
}
const connectWith = (account: TestAccount, body: object) => call(connect, { key: account.secret.key, body });
const projects = (account: TestAccount) => call(listProjects, { key: account.secret.key });
const status = async (account: TestAccount) => (await call(getStatus, { key: account.secret.key })).json;
async function connected(): Promise<TestAccount> {
  const account = await createTestAccount(app);
  expect((await connectWith(account, freshGrant())).status).toBe(200);
  return account;
}

beforeAll(() => {
  Object.assign(process.env, SETTINGS, { BACKEND_PLATFORM_BASE_URL: platform.url });
  replace(secrets, () => ({ find: async (name) => known[name] }));
  replace(backendPlatform, createLiveBackendPlatform);
});

const stored = (account: TestAccount) => app.database.get(settingKey(account.account.accountId, 'backend'));

describe('POST /account/backend/oauth', () => {
  it('connects the account with code and verifier and stores the tokens encrypted', async () => {
    expect(await status(account)).toEqual({ connected: false });
    expect(await connectWith(account, freshGrant())).toMatchObject({ status: 200, json: { success: true } });
    expect(await status(account)).toEqual({ connected: true, connectedAt: '2026-11-21T08:30:00.000Z' });
    expect(unpackedText(await stored(account))).not.toContain('sbp_');
  });

  it('returns 400 for a used code, another verifier and another redirect URI', async () => {
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
    const calls = platform.calls.length;
    const { status, json } = await connectWith(account, {
      ...freshGrant(),
      redirect_uri: 'https://evil.example.com/',
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(platform.calls).toHaveLength(calls);
  });

  it("returns 502 with the platform's code when it fails or rejects the deployment", async () => {
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
    known = { ...SECRETS, BACKEND_PLATFORM_CLIENT_SECRET: 'wrong' };
    const refused = await connectWith(account, freshGrant());
    known = {};
    const unconfigured = await connectWith(account, freshGrant());
    known = SECRETS;
    expect([unconfigured.status, unconfigured.json.error.providerCode]).toEqual([502, 'NOT_CONFIGURED']);
    expect([refused.status, refused.json.error.providerCode]).toEqual([502, 'invalid_client']);
    expect(await status(account)).toEqual({ connected: false });
  });

  it('returns 400 for every invalid field', async () => {
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

/** An account whose domain is verified. */
async function withDomain(account: TestAccount): Promise<{ body: Record<string, string>; domain: string }> {
  const domain = `${newId().toLowerCase()}.example.com`;
  await resolve(domains).start(account.account.accountId, domain, app.clock.nowMs);
  await app.database.update(domainKey(account.account.accountId, domain), 'SET #status = :success', {
    names: { '#status': 'status' },
    values: { ':success': 'SUCCESS' },
  });
  const sender = { senderName: 'Läden', senderEmail: `hello@${domain}` };
  return { domain, body: { projectRef: PLATFORM_PROJECT, projectName: 'shop', ...sender } };
}
const configureWith = (account: TestAccount, body: object) =>
  call(configure, { key: account.secret.key, body });

describe('GET /account/backend/projects', () => {
  it('returns the projects of the platform', async () => {
    const account = await connected();
    expect((await projects(account)).json).toEqual({
      projects: [
        {
          projectRef: PLATFORM_PROJECT,
          projectName: 'shop',
          region: 'eu-central-1',
          status: 'ACTIVE_HEALTHY',
        },
      ],
    });
  });

  it('refreshes tokens that the platform rejects or that expire soon, once', async () => {
    const account = await connected();
    const refreshes = () => platform.calls.filter((each) => each === 'POST /v1/oauth/token').length;
    const before = refreshes();
    platform.expireAccessTokens();
    expect((await projects(account)).status).toBe(200);
    expect((await projects(account)).status).toBe(200);
    expect(refreshes()).toBe(before + 1);
    app.clock.nowMs += 3_600_000;
    expect((await projects(account)).status).toBe(200);
    expect(refreshes()).toBe(before + 2);
  });

  it('returns a result for each of many concurrent calls that refresh', async () => {
    const account = await connected();
    platform.expireAccessTokens();
    const responses = await Promise.all(Array.from({ length: 5 }, () => projects(account)));
    expect(responses.map((each) => each.status)).toEqual(Array(5).fill(200));
  });

  it('returns NOT_CONNECTED without a connection, and after the platform has ended it', async () => {
    expect((await projects(account)).json.error.code).toBe('NOT_CONNECTED');
    const ended = await connected();
    platform.expireAccessTokens();
    platform.refreshTokens.clear();
    const { status, json } = await projects(ended);
    expect([status, json.error.code]).toEqual([400, 'NOT_CONNECTED']);
  });
});

describe('POST /account/backend/configure', () => {
  it("writes the project's SMTP settings and stores the project", async () => {
    const account = await connected();
    const { body } = await withDomain(account);
    expect(await configureWith(account, body)).toMatchObject({ status: 200, json: { success: true } });
    expect(platform.configured.at(-1)).toEqual({
      ref: PLATFORM_PROJECT,
      body: {
        external_email_enabled: true,
        smtp_admin_email: body.senderEmail,
        smtp_sender_name: 'Läden',
        smtp_host: 'smtp.example.com',
        smtp_port: '587',
        smtp_user: 'smtp-user',
        smtp_pass: 'smtp-password',
      },
    });
    const response = await status(account);
    expect(response.project).toMatchObject(body);
    expect(JSON.stringify(response)).not.toContain('smtp-password');
  });

  it("returns 400 for a sender whose domain is not verified or is another account's", async () => {
    const account = await connected();
    const { body } = await withDomain(await createTestAccount(app));
    const { status, json } = await configureWith(account, body);
    expect([status, json.error.code]).toEqual([400, 'UNVERIFIED_SENDER']);
  });

  it('returns 400 for an unknown project and without a connection, and 502 when the platform or relay fails', async () => {
    const account = await connected();
    const { body } = await withDomain(account);
    const unknown = await configureWith(account, { ...body, projectRef: 'zzzzzzzzzzzzzzzzzzzz' });
    expect([unknown.status, unknown.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    platform.respondWith(`PATCH /v1/projects/${PLATFORM_PROJECT}/config/auth`, { status: 500 });
    const failed = await configureWith(account, body);
    expect([failed.status, failed.json.error.providerCode]).toEqual([502, '500']);
    known = { ...SECRETS, BACKEND_SMTP_USER: '' };
    const noRelay = await configureWith(account, body);
    known = SECRETS;
    expect([noRelay.status, noRelay.json.error.providerCode]).toEqual([502, 'SMTP_NOT_CONFIGURED']);
    const alone = await createTestAccount(app);
    const own = await withDomain(alone);
    expect((await configureWith(alone, own.body)).json.error.code).toBe('NOT_CONNECTED');
    expect(await status(account)).not.toHaveProperty('project');
  });

  it('returns 400 for every invalid field', async () => {
    const account = await connected();
    const { body } = await withDomain(account);
    const request = { key: account.secret.key, body };
    for (const field of ['projectRef', 'projectName', 'senderName', 'senderEmail']) {
      await expectRefusedValues(configure, request, field, [...NOT_TEXT, '', ' ', 'x'.repeat(2048)]);
    }
    await expectRefusedValues(configure, request, 'projectRef', ['../secrets', 'a/b', 'プロジェクト']);
    await expectRefusedValues(configure, request, 'senderEmail', ['hello', 'a@b']);
  });
});
