import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { countUsage } from '../../support/usage.ts';
import { useApp } from '../../support/use-app.ts';
import { withSettings } from '../../support/workers.ts';

const app = useApp();

const EMAIL = { email: { subject: 's', html: 'h' } };
const SMS = { sms: { message: 'm' } };
const TO = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };

async function accountWith(caps: object): Promise<TestAccount> {
  const account = await createTestAccount(app);
  const { accountId, createdAt } = account.account;
  await app.database.put({
    ...organizationKey(accountId),
    organizationId: accountId,
    organizationType: 'paid',
    creator: 'admin@example.com',
    name: 'Test',
    messagesCap: 1000,
    costCap: 1000,
    allowOverage: false,
    anchorDate: '2026-11-10',
    createdAt,
    updatedAt: createdAt,
    ...caps,
  });
  return account;
}

const sendWith = (account: TestAccount, content: object, more: object = {}) =>
  call(send, { key: account.secret.key, body: { type: 'welcome', to: TO, ...content }, ...more });
const count = (account: TestAccount, channel: 'EMAIL' | 'SMS' | 'CALL', at: string, costUsd = 0) =>
  countUsage(account.account.accountId, channel, 5, at, costUsd);

describe('usage caps', () => {
  it('return 402 once reached and store nothing', async () => {
    const account = await accountWith({ messagesCap: 5 });
    await count(account, 'EMAIL', '2026-11-20T00:00:00Z');
    for (const more of [{}, { query: { dryRun: 'true' } }, { headers: { 'idempotency-key': 'k' } }]) {
      const { status, json } = await sendWith(account, EMAIL, more);
      expect([status, json.error.code]).toEqual([402, 'USAGE_LIMIT']);
      expect(json.error.fix).toBeTruthy();
    }
    const { environmentId } = account.environment;
    expect(await app.database.queryAll(environmentPk(environmentId), 'TYPE#')).toEqual([]);
    expect(await app.database.get(profileKey(environmentId, 'ada'))).toBeUndefined();
  });

  it('count the current billing period only', async () => {
    const account = await accountWith({ messagesCap: 6 });
    await count(account, 'EMAIL', '2026-11-09T23:59:59Z');
    await count(account, 'EMAIL', '2026-11-10T00:00:00Z');
    expect((await sendWith(account, EMAIL)).status).toBe(200);
  });

  it('stop only SMS, CALL or all that costs, when set for those', async () => {
    const cases = [
      { caps: { smsCap: 5 }, channel: 'SMS', costUsd: 0, refused: SMS },
      { caps: { costCap: 2 }, channel: 'SMS', costUsd: 2, refused: SMS },
      { caps: { callCap: 5 }, channel: 'CALL', costUsd: 0, refused: { call: { message: 'm' } } },
      { caps: { costCap: 2 }, channel: 'CALL', costUsd: 3, refused: { call: { message: 'm' } } },
    ] as const;
    for (const { caps, channel, costUsd, refused } of cases) {
      const account = await accountWith(caps);
      await count(account, channel, '2026-11-20T00:00:00Z', costUsd);
      const before = await sendWith(account, { ...refused, type: 'other' });
      expect([before.status, before.json.error?.code]).toEqual([402, 'USAGE_LIMIT']);
      expect((await sendWith(account, EMAIL)).status).toBe(200);
    }
  });

  it('ignore SMS for a recipient without a number, so the email is sent', async () => {
    const account = await accountWith({ smsCap: 0 });
    const both = { ...EMAIL, ...SMS };
    expect((await sendWith(account, both)).status).toBe(402);
    expect((await sendWith(account, { ...both, to: { id: 'bob', email: 'b@example.com' } })).status).toBe(
      200,
    );
  });

  it('count what is sent later when it is due, not when it is accepted', async () => {
    const account = await accountWith({ smsCap: 0 });
    const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT2H' }];
    expect((await sendWith(account, { ...EMAIL, ...SMS, options: { steps } })).status).toBe(200);
    const schedule = new Date(app.clock.nowMs + 60_000).toISOString();
    expect((await sendWith(account, { ...SMS, schedule })).status).toBe(200);
  });

  it('do not apply with allowOverage, and apply immediately when it is revoked', async () => {
    const account = await accountWith({ messagesCap: 0, allowOverage: true });
    expect((await sendWith(account, EMAIL)).status).toBe(200);
    await app.database.update(organizationKey(account.account.accountId), 'SET allowOverage = :no', {
      values: { ':no': false },
    });
    expect((await sendWith(account, EMAIL)).status).toBe(402);
  });

  it('use counts that are at most ten seconds old', async () => {
    const account = await accountWith({ messagesCap: 5 });
    expect((await sendWith(account, EMAIL)).status).toBe(200);
    await count(account, 'EMAIL', '2026-11-21T08:30:00Z');
    app.clock.nowMs += 10_000;
    expect((await sendWith(account, EMAIL)).status).toBe(402);
  });

  it('still return the stored response to a duplicate from before they were reached', async () => {
    const account = await accountWith({});
    const headers = { 'idempotency-key': 'order-1' };
    const first = await sendWith(account, EMAIL, { headers });
    await app.database.update(organizationKey(account.account.accountId), 'SET messagesCap = :none', {
      values: { ':none': 0 },
    });
    expect((await sendWith(account, EMAIL, { headers })).json).toEqual(first.json);
    const other = await sendWith(account, SMS, { headers });
    expect(other.json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await sendWith(account, EMAIL, { headers: { 'idempotency-key': 'order-2' } })).status).toBe(402);
  });

  it('come from the settings for an account without a billing record', async () => {
    const refusedWith = (name: string, content: object) =>
      withSettings(
        { [name]: '0' },
        async () => (await sendWith(await createTestAccount(app), content)).status,
      );
    expect(await refusedWith('FREE_MESSAGES_CAP', EMAIL)).toBe(402);
    expect(await refusedWith('FREE_COST_CAP_USD', SMS)).toBe(402);
    expect(await refusedWith('FREE_SMS_CAP', SMS)).toBe(402);
    expect(await refusedWith('FREE_SMS_CAP', EMAIL)).toBe(200);
    expect(await refusedWith('FREE_CALL_CAP', { call: { message: 'm' } })).toBe(402);
    expect((await sendWith(await createTestAccount(app), SMS)).status).toBe(200);
  });

  it('apply to one account only', async () => {
    await accountWith({ messagesCap: 0 });
    expect((await sendWith(await createTestAccount(app), EMAIL)).status).toBe(200);
  });
});
