import { describe, expect, it, vi } from 'vitest';
import { accounts } from '../../../../shared/database/entities/accounts/accounts.ts';
import { createSendingContexts } from '../../../../shared/database/entities/sending/sending-context.ts';
import {
  beginHolding,
  evictHeld,
  findHeld,
  HELD_MS_MAX,
} from '../../../../shared/database/items/held-items.ts';
import { accountKey, environmentKey } from '../../../../shared/database/keys/account.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount, START_MS } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();

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
  const contexts = createSendingContexts(counted, () => clock.nowMs, {
    read: async () => ({ status: undefined, optOuts: {} }),
  });
  const read = async () => {
    keyCount = 0;
    const context = await contexts.read(scope);
    return { context, keyCount };
  };
  return { scope, clock, read };
}

describe('the items that a notification is evaluated with', () => {
  it('reads fresh data, except environment, account and organization, which are cached for three seconds', async () => {
    const { clock, read } = await contextsOfOneAccount();
    expect((await read()).keyCount).toBe(6);
    clock.nowMs += HELD_MS_MAX - 1;
    expect((await read()).keyCount).toBe(3);
    clock.nowMs += 1;
    expect((await read()).keyCount).toBe(6);
  });

  it('include the account as this process has just written it', async () => {
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

  it('never include the account from before a write that happened during the read', async () => {
    const { scope, read } = await contextsOfOneAccount();
    const reading = read();
    await app.database.update(accountKey(scope.accountId), 'SET retentionInDays = :days', {
      values: { ':days': 7 },
    });
    await reading;
    expect((await read()).context.account.retentionInDays).toBe(7);
  });

  it('include the environment as this process has just written it', async () => {
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

describe('a cached item', () => {
  const key = { pk: 'ACCOUNT#concurrent', sk: 'ACCOUNT' };

  it('comes from whichever read ends first, then from the read that began last', async () => {
    const [first, second] = [beginHolding([key], START_MS), beginHolding([key], START_MS + 1)];
    second([{ ...key, read: 2 }]);
    expect(findHeld(key, START_MS + 1)?.item?.read).toBe(2);
    first([{ ...key, read: 1 }]);
    expect(findHeld(key, START_MS + 1)?.item?.read).toBe(2);
  });

  it('never comes from a read before a write', async () => {
    const before = beginHolding([key], START_MS + 2);
    evictHeld(key);
    before([{ ...key, read: 3 }]);
    expect(findHeld(key, START_MS + 2)).toBeUndefined();
  });
});

describe('a recent account', () => {
  it('takes one read for many who ask at the same time, and another after a failed read', async () => {
    const { account } = await createTestAccount(app);
    const { accountId } = account;
    const get = vi.spyOn(app.database, 'get');
    get.mockRejectedValueOnce(new Error('throttled'));
    const recent = () => resolve(accounts).findRecent(accountId);
    await expect(recent()).rejects.toThrow('throttled');
    const found = await Promise.all([recent(), recent(), recent()]);
    expect(found.map((each) => each?.accountId)).toEqual([accountId, accountId, accountId]);
    expect(get).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});
