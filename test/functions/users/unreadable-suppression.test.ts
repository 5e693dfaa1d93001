import { describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { suppressionKey } from '../../../shared/database/keys/account.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

describe('an unreadable stored copy of a suppression', () => {
  it('does not lift the suppression of the address', async () => {
    const { account, environment, secret } = await createTestAccount(app);
    const request = { key: secret.key, path: { userId: 'ada' } };
    await call(saveUser, { ...request, body: { email: 'ada@example.com' } });
    const status = { reason: 'Complaint', details: {} };
    const record = suppressionKey(account.accountId, 'ada@example.com');
    await app.database.put({ ...record, status, revision: 1 });
    const key = profileKey(environment.environmentId, 'ada');
    await app.database.update(key, 'SET emailSuppressionStatus = :broken', {
      values: { ':broken': { reason: 7 } },
    });
    expect((await call(getUser, request)).json.emailSuppressionStatus).toEqual(status);
    await call(saveUser, { ...request, body: { timezone: 'Europe/Berlin' } });
    expect((await call(getUser, request)).json.emailSuppressionStatus).toEqual(status);
  });
});
