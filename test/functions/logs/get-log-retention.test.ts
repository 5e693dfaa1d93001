import { describe, expect, it } from 'vitest';
import { handler as getLogRetention } from '../../../functions/logs/get-log-retention.ts';
import { accountKey } from '../../../shared/database/keys/account.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

describe('GET /logs/retention', () => {
  it('returns 30 days, or the number of days that the account has set', async () => {
    const account = await createTestAccount(app);
    const ask = async () => (await call(getLogRetention, { key: account.secret.key })).json;
    expect(await ask()).toEqual({ retentionInDays: 30 });
    await app.database.update(accountKey(account.account.accountId), 'SET retentionInDays = :days', {
      values: { ':days': 90 },
    });
    expect(await ask()).toEqual({ retentionInDays: 90 });
  });
});
