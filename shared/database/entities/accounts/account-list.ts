import { inChunks } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { accountKey, accountListKey } from '../../keys/account.ts';
import { type Account, readAccount } from './accounts.ts';

const READS_AT_ONCE = 25;

function createAccountList(table: Database) {
  const { pk, sk } = accountListKey('');
  const listIds = async () => {
    const items = await table.queryAll(pk, sk, { consistent: true });
    return items.map((item) => String(item.accountId)).sort();
  };
  return {
    /** IDs in their own order, so that an interrupted run over them can continue. */
    listIds,
    /** Oldest first, without those that are being deleted. */
    async listAll(): Promise<Account[]> {
      const items = await inChunks(await listIds(), READS_AT_ONCE, (id) =>
        table.get(accountKey(id), { consistent: true }),
      );
      const found = items.flatMap((item) => (item ? [readAccount(item)] : []));
      return found.sort((left, right) => left.createdAt.localeCompare(right.createdAt));
    },
  };
}

export const accountList = dependency('accountList', () => createAccountList(resolve(database)));
