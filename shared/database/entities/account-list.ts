import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { accountListKey } from '../keys/account.ts';

/** Every account of the deployment, for its operator. */
export type AccountList = {
  /** IDs in their own order, so that an interrupted run over them can continue. */
  listIds(): Promise<string[]>;
};

function createAccountList(table: Database): AccountList {
  const { pk, sk } = accountListKey('');
  return {
    async listIds() {
      const items = await table.queryAll(pk, sk, { consistent: true });
      return items.map((item) => String(item.accountId)).sort();
    },
  };
}

export const accountList = dependency('accountList', () => createAccountList(resolve(database)));
