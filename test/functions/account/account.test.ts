import { describe, expect, it } from 'vitest';
import { handler as getAccount } from '../../../functions/account/get-account.ts';
import { handler as getMetadata } from '../../../functions/account/get-account-metadata.ts';
import { handler as getOrganization } from '../../../functions/account/get-account-organization.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as getRetention } from '../../../functions/logs/get-log-retention.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const read = (account: TestAccount) => call(getAccount, { key: account.secret.key });
const change = (account: TestAccount, body: object) => call(updateAccount, { key: account.secret.key, body });
const metadata = async (key: string) => (await call(getMetadata, { key })).json.userAccountMetadata;
const FULL = {
  name: 'Läden & Söhne',
  logo: 'https://shop.example.com/logo.png',
  retentionInDays: 90,
  contentDays: 60,
  timezone: 'Asia/Kolkata',
  defaultSender: { address: 'hello@shop.example.com', name: 'Läden' },
};

describe('GET and POST /account', () => {
  it('return a new account with the default retention and no other settings', async () => {
    const { accountId, defaultEnvironmentId, createdAt } = account.account;
    const expected = {
      accountId,
      name: 'Test',
      defaultEnvironmentId,
      retentionInDays: 30,
      contentDays: 30,
      linkSchemes: [],
      createdAt,
      updatedAt: createdAt,
    };
    expect(await read(account)).toMatchObject({ status: 200 });
    expect((await read(account)).json).toEqual(expected);
    const { token } = await addTestMember(app, account, 'member');
    expect((await call(getAccount, { key: token })).json).toEqual(expected);
  });

  it('keep every setting, change only the given fields and reset null fields', async () => {
    const before = { ...(await read(account)).json, updatedBy: account.admin.userId };
    expect(await change(account, FULL)).toMatchObject({ status: 200, json: { ...before, ...FULL } });
    expect((await change(account, {})).json).toEqual({ ...before, ...FULL });
    const renamed = await change(account, { name: 'Shop' });
    expect(renamed.json).toEqual({ ...before, ...FULL, name: 'Shop' });
    const reset = {
      logo: null,
      retentionInDays: null,
      contentDays: null,
      timezone: null,
      defaultSender: null,
    };
    expect((await change(account, reset)).json).toEqual({ ...before, name: 'Shop' });
    expect((await read(account)).json).toEqual({ ...before, name: 'Shop' });
  });

  it('return 400 for every invalid value and change nothing', async () => {
    const before = (await read(account)).json;
    const notText = NOT_TEXT.filter((value) => value !== undefined && value !== null);
    const cases: Record<string, unknown[]> = {
      name: [...notText, null, '', '  ', 'x'.repeat(129)],
      logo: [...notText, '', 'logo.png', 'http://shop.example.com/x', `https://e.com/${'x'.repeat(2048)}`],
      retentionInDays: ['30', true, {}, 0, -1, 1.5, 3651, 1e12],
      contentDays: ['3', true, {}, -1, 1.5, 31, 3651],
      timezone: [...notText, '', 'Mars/Olympus', '+01:00', 'x'.repeat(2048), '東京'],
      defaultSender: [7, true, 'a@example.com', {}, { address: '' }, { address: 'x'.repeat(2048) }],
    };
    for (const [field, values] of Object.entries(cases)) {
      await expectRefusedValues(updateAccount, { key: account.secret.key, body: {} }, field, values);
    }
    for (const rawBody of ['', '{', '[]', 'null']) {
      expect((await call(updateAccount, { key: account.secret.key, rawBody })).status).toBe(400);
    }
    expect((await read(account)).json).toEqual(before);
  });
});

describe('log retention', () => {
  it('applies to notifications accepted after the change, and is returned', async () => {
    // A log is kept longer than it is shown, while something may still come in for it.
    const shownDays = async (id: string) => {
      const body = { type: 't', to: { id, email: 'a@example.com' }, email: { subject: 's', html: 'h' } };
      const { json } = await call(send, { key: account.secret.key, body });
      const head = await app.database.get(headKey(json.trackingId));
      return (Number(head?.shownUntil ?? head?.expiresAt) - START_MS / 1000) / 86_400;
    };
    expect(await shownDays('ada')).toBe(30);
    await change(account, { retentionInDays: 7 });
    expect((await call(getRetention, { key: account.secret.key })).json).toEqual({ retentionInDays: 7 });
    expect(await shownDays('bob')).toBe(7);
  });
});

describe('GET /users/account-metadata', () => {
  it('returns the logo, the VAPID key and whether web push is on, for every credential', async () => {
    const { vapidPublicKey, environmentId } = account.environment;
    const expected = { logo: '', environmentVapidPublicKey: vapidPublicKey, hasWebPushEnabled: true };
    const { token } = await addTestMember(app, account, 'member');
    for (const key of [account.public.key, account.secret.key, token]) {
      expect(await metadata(key)).toEqual(expected);
    }
    await change(account, { logo: FULL.logo });
    await call(updateEnvironment, {
      key: account.secret.key,
      path: { clientId: environmentId },
      body: { disableSending: ['WEB_PUSH'] },
    });
    expect(await metadata(account.public.key)).toEqual({
      ...expected,
      logo: FULL.logo,
      hasWebPushEnabled: false,
    });
  });

  it('returns the data of each account separately', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    await change(mine, { logo: FULL.logo });
    const seen = await metadata(theirs.public.key);
    expect(seen).toMatchObject({ logo: '', environmentVapidPublicKey: theirs.environment.vapidPublicKey });
  });
});

describe('GET /account/organization', () => {
  it('returns the free plan for an organization that is not stored, without storing it', async () => {
    const { accountId, createdAt } = account.account;
    const { status, json } = await call(getOrganization, { key: account.secret.key });
    expect(status).toBe(200);
    expect(json).toEqual({
      organizationId: accountId,
      organizationType: 'free',
      creator: account.admin.email,
      name: 'Test',
      messagesCap: 10_000_000,
      costCap: 1000,
      billingVersion: 3,
      anniversaryDate: '2026-12-21',
      allowOverage: false,
      createdAt,
      updatedAt: createdAt,
    });
    expect(await app.database.get(organizationKey(accountId))).toBeUndefined();
  });
});
