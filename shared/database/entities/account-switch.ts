import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database, type TransactAction } from '../database.ts';
import { accountKey, accountPk, apiKeyKey } from '../keys.ts';
import { AGAIN, untilSettled } from './settle.ts';

/** Turns accounts off and on. */
export type AccountSwitch = {
  /**
   * Disables or enables an account, then every key it has: false when there is no such account. Safe to repeat, and of
   * two at once the later write of the account decides for all keys.
   */
  setDisabled(accountId: string, disabled: boolean): Promise<boolean>;
};

/** Actions of one transaction are at most 100; one of them is the check of the account. */
const KEYS_AT_ONCE = 99;

/** Builds the switch on the table. */
export function createAccountSwitch(table: Database): AccountSwitch {
  const isSame = (disabled: boolean) => ({
    condition: 'disabled = :disabled',
    values: { ':disabled': disabled },
  });

  async function markKeys(accountId: string, keyIds: readonly string[], disabled: boolean): Promise<void> {
    const marks = keyIds.map(
      (keyId): TransactAction => ({
        update: apiKeyKey(accountId, keyId),
        expression: 'SET accountDisabled = :disabled',
        values: { ':disabled': disabled },
      }),
    );
    await untilSettled(async () => {
      const outcome = await table.transact([{ check: accountKey(accountId), ...isSame(disabled) }, ...marks]);
      // A failed check: the account has been switched back by another, who marks the keys as well.
      return outcome.written || outcome.failed.length > 0 ? undefined : AGAIN;
    });
  }

  return {
    async setDisabled(accountId, disabled) {
      const outcome = await table.update(accountKey(accountId), 'SET disabled = :disabled', {
        condition: 'attribute_exists(pk)',
        values: { ':disabled': disabled },
      });
      if (!outcome.written) return false;
      const keys = await table.queryAll(accountPk(accountId), 'KEY#', { consistent: true });
      const keyIds = keys.map(({ keyId }) => String(keyId));
      for (let start = 0; start < keyIds.length; start += KEYS_AT_ONCE)
        await markKeys(accountId, keyIds.slice(start, start + KEYS_AT_ONCE), disabled);
      return true;
    },
  };
}

/** The switch of this deployment. */
export const accountSwitch = dependency('accountSwitch', () => createAccountSwitch(resolve(database)));
