import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { API_KEY_PREFIX, accountKey, apiKeyKey } from '../../keys/account.ts';
import { accountPk } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { copiesOf, sameCopies, withoutCopies } from '../access/api-key-copies.ts';

/** Actions of one transaction are at most 100; one of them is the check of the account. */
const ACTIONS_AT_ONCE = 99;

/** Turns accounts off and on. */
function createAccountSwitch(table: Database) {
  const isSame = (disabled: boolean) => ({
    condition: 'disabled = :disabled',
    values: { ':disabled': disabled },
  });

  /** Marks as many keys as one transaction allows, with their copies. Returns how many. */
  async function markSome(accountId: string, keys: readonly Item[], disabled: boolean): Promise<number> {
    const marks: TransactAction[] = [];
    let count = 0;
    for (const key of keys) {
      const mark = markOf(accountId, key, disabled);
      if (marks.length + mark.length > ACTIONS_AT_ONCE) break;
      marks.push(...mark);
      count += 1;
    }
    const outcome = await table.transact([{ check: accountKey(accountId), ...isSame(disabled) }, ...marks]);
    if (outcome.written) return count;
    // A concurrent call has switched the account back and marks the keys as well.
    const isOver = outcome.failed.some(({ index }) => index === 0);
    return isOver ? keys.length : 0;
  }

  async function markAll(accountId: string, disabled: boolean): Promise<void> {
    let marked = new Set<unknown>();
    await untilSettled(async () => {
      const items = await table.queryAll(accountPk(accountId), API_KEY_PREFIX, { consistent: true });
      const left = items.filter(({ keyId }) => !marked.has(keyId));
      for (let from = 0; from < left.length; ) {
        const count = await markSome(accountId, left.slice(from), disabled);
        if (count === 0) return AGAIN;
        marked = new Set([...marked, ...left.slice(from, from + count).map(({ keyId }) => keyId)]);
        from += count;
      }
      return undefined;
    });
  }

  return {
    /**
     * Disables or enables an account, then every key it has: false if the account does not exist. Safe to
     * repeat; of two concurrent calls, the later write of the account decides for all keys.
     */
    async setDisabled(accountId: string, disabled: boolean): Promise<boolean> {
      const outcome = await table.update(accountKey(accountId), 'SET disabled = :disabled', {
        condition: 'attribute_exists(pk)',
        values: { ':disabled': disabled },
      });
      if (!outcome.written) return false;
      await markAll(accountId, disabled);
      return true;
    },
  };
}

/** A disabled account's keys lose their copies, which have the former state of the key. */
function markOf(accountId: string, key: Item, disabled: boolean): TransactAction[] {
  const keyId = String(key.keyId);
  const copies = copiesOf(key);
  const { condition, values } = sameCopies(copies);
  return [
    {
      update: apiKeyKey(accountId, keyId),
      expression: 'SET accountDisabled = :disabled REMOVE copies',
      condition,
      values: { ...values, ':disabled': disabled },
    },
    ...withoutCopies(accountId, keyId, copies),
  ];
}

export const accountSwitch = dependency('accountSwitch', () => createAccountSwitch(resolve(database)));
