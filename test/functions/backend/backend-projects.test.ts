import { describe, expect, it } from 'vitest';
import { handler as configure } from '../../../functions/backend/configure-backend.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { domainKey } from '../../../shared/database/keys/account.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { PLATFORM_PROJECT } from '../../support/fakes/backend-platform.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import {
  app,
  connected,
  platform,
  projects,
  SECRETS,
  setSecrets,
  status,
  useBackend,
} from './backend-setup.ts';

useBackend();

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
    const account = await createTestAccount(app);
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
    setSecrets({ ...SECRETS, BACKEND_SMTP_USER: '' });
    const noRelay = await configureWith(account, body);
    setSecrets(SECRETS);
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
