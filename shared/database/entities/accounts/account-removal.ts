import { exportFolderOf, LIFE_FOLDERS, mediaFolderOf } from '../../../blobs/blob-folders.ts';
import { blobFoldersOf } from '../../../blobs/blob-life.ts';
import { blobs } from '../../../blobs/blobs.ts';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { database } from '../../database.ts';
import { accountKey, accountListKey, DOMAIN_REMOVAL_PREFIX, dataKeyKey } from '../../keys/account.ts';
import { accountPk, type Key, keyOf } from '../../keys/key.ts';
import {
  DELETES_AT_ONCE,
  laterPages,
  type RemovalParts,
  type Removed,
  type RemovedPages,
  removePages,
} from './environment-removals.ts';

/** Removes everything that is stored of an account. Each step can be repeated. */
function createAccountRemoval(parts: RemovalParts) {
  const { table, store } = parts;
  return {
    /** Removes the account's items on pages of the table, with the stored objects that they name. */
    removePages: (account: Omit<Removed, 'isWhole'>, after: Key | undefined): Promise<RemovedPages> =>
      removePages(parts, { ...account, isWhole: true }, after),

    /** Removes stored objects of the account that no item names; returns how many, 0 once none is left. */
    async removeObjects(accountId: string): Promise<number> {
      const folders = [
        ...blobFoldersOf(LIFE_FOLDERS, accountId),
        mediaFolderOf(accountId),
        exportFolderOf(accountId),
      ];
      const names = (await Promise.all(folders.map((folder) => store().list(`${folder}/`)))).flat();
      await inChunks(names, DELETES_AT_ONCE, (name) => store().delete(name));
      return names.length;
    },

    /**
     * Removes the account's own partition at the end, and the account itself last, so that an interrupted
     * removal finds it. A sender domain that the email provider has not deleted yet leaves a note for that.
     */
    async removeAccount(accountId: string): Promise<number> {
      const last = [dataKeyKey(accountId), accountKey(accountId)].map(({ sk }) => sk);
      const items = await table.queryAll(accountPk(accountId), '', { consistent: true });
      const keys = items
        .map(keyOf)
        .filter(({ sk }) => !last.includes(sk) && !sk.startsWith(DOMAIN_REMOVAL_PREFIX));
      await inChunks(keys, DELETES_AT_ONCE, (key) => table.delete(key));
      await table.delete(accountListKey(accountId));
      await table.delete(dataKeyKey(accountId));
      await table.delete(accountKey(accountId));
      return keys.length + 3;
    },
  };
}

export const accountRemoval = dependency('accountRemoval', () =>
  createAccountRemoval({
    table: resolve(database),
    pages: laterPages,
    store: () => resolve(blobs),
  }),
);
