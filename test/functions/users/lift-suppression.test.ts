import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler } from '../../../functions/users/lift-suppression.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let removed: string[];
let failure: Error | undefined;
beforeAll(() => {
  replace(suppressionList, () => ({
    remove: async (address) => {
      if (failure) throw failure;
      removed.push(address);
    },
  }));
});
beforeEach(() => {
  removed = [];
  failure = undefined;
});

const path = { userId: 'ada', channel: 'EMAIL' };
const ada = { userId: 'ada' };

async function suppress({ account, secret }: TestAccount): Promise<void> {
  await call(saveUser, { key: secret.key, path: ada, body: { email: 'ada@example.com' } });
  await resolve(suppressions).suppress(account.accountId, 'ada@example.com', {
    reason: 'Bounce',
    details: {},
  });
}

describe('DELETE /user_suppression/{userId}/channel/{channel}', () => {
  it('lifts the suppression here and at the email provider, and can be repeated', async () => {
    await suppress(account);
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await call(handler, { key: account.secret.key, path });
      expect([status, json]).toEqual([200, { message: expect.any(String) }]);
    }
    expect(removed).toEqual(['ada@example.com', 'ada@example.com']);
    const { json } = await call(getUser, { key: account.secret.key, path: ada });
    expect(json.email).toBe('ada@example.com');
    expect(json).not.toHaveProperty('emailSuppressionStatus');
  });

  it('keeps the suppression when the email provider rejects the change', async () => {
    await suppress(account);
    failure = new AppError('PROVIDER_ERROR', { provider: 'ses', providerCode: 'TooManyRequestsException' });
    const { status, json } = await call(handler, { key: account.secret.key, path });
    expect([status, json.error]).toMatchObject([
      502,
      { provider: 'ses', providerCode: 'TooManyRequestsException' },
    ]);
    const stored = await call(getUser, { key: account.secret.key, path: ada });
    expect(stored.json.emailSuppressionStatus.reason).toBe('Bounce');
  });

  it('accepts a user without an email address', async () => {
    const { secret } = await createTestAccount(app);
    await call(saveUser, { key: secret.key, path: ada, body: {} });
    expect((await call(handler, { key: secret.key, path })).status).toBe(200);
    expect(removed).toEqual([]);
  });

  it.each(['SMS', 'email', 'FAX', 'x'.repeat(2048)])('returns 400 for the channel %.9s', async (channel) => {
    await suppress(account);
    const { status, json } = await call(handler, { key: account.secret.key, path: { ...path, channel } });
    expect([status, json.error.code, removed]).toEqual([400, 'INVALID_CHANNEL', []]);
  });
});
