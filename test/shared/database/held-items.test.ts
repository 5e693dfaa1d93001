import { beforeAll, describe, expect, it } from 'vitest';
import { createSendingContexts } from '../../../shared/database/entities/sending-context.ts';
import { HELD_MS_MAX } from '../../../shared/database/held-items.ts';
import { accountKey, environmentKey } from '../../../shared/database/keys.ts';
import { createTestAccount, createTestApp, START_MS, type TestApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

async function contextsOfOneAccount() {
  const { account, environment } = await createTestAccount(app);
  const { accountId } = account;
  const { environmentId } = environment;
  const scope = { accountId, environmentId, userId: 'ada', notificationId: 'welcome' };
  const clock = { nowMs: START_MS };
  let keyCount = 0;
  const counted: typeof app.database = {
    ...app.database,
    batchGet: (keys, options) => {
      keyCount += keys.length;
      return app.database.batchGet(keys, options);
    },
  };
  const contexts = createSendingContexts(counted, () => clock.nowMs);
  const read = async () => {
    keyCount = 0;
    const context = await contexts.read(scope);
    return { context, keyCount };
  };
  return { scope, clock, read };
}

describe('what a notification is judged by', () => {
  it('is read each time but for environment, account and organization, which are held for three seconds', async () => {
    const { clock, read } = await contextsOfOneAccount();
    expect((await read()).keyCount).toBe(6);
    clock.nowMs += HELD_MS_MAX - 1;
    expect((await read()).keyCount).toBe(3);
    clock.nowMs += 1;
    expect((await read()).keyCount).toBe(6);
  });

  it('is the account as this process has just written it', async () => {
    const { scope, read } = await contextsOfOneAccount();
    await read();
    await app.database.update(accountKey(scope.accountId), 'SET retentionInDays = :days', {
      values: { ':days': 7 },
    });
    expect((await read()).context.account.retentionInDays).toBe(7);
    await app.database.transact([
      {
        update: accountKey(scope.accountId),
        expression: 'SET retentionInDays = :days',
        values: { ':days': 8 },
      },
    ]);
    expect((await read()).context.account.retentionInDays).toBe(8);
  });

  it('is never the account from before a write that came while it was read', async () => {
    const { scope, read } = await contextsOfOneAccount();
    const reading = read();
    await app.database.update(accountKey(scope.accountId), 'SET retentionInDays = :days', {
      values: { ':days': 7 },
    });
    await reading;
    expect((await read()).context.account.retentionInDays).toBe(7);
  });

  it('is the environment as this process has just written it', async () => {
    const { scope, read } = await contextsOfOneAccount();
    const { context } = await read();
    expect(context.environment.disableSending).toEqual([]);
    await app.database.update(
      environmentKey(scope.accountId, scope.environmentId),
      'SET disableSending = :off',
      {
        values: { ':off': ['EMAIL'] },
      },
    );
    expect((await read()).context.environment.disableSending).toEqual(['EMAIL']);
  });
});
