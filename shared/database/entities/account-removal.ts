import { exportFolderOf, LIFE_FOLDERS, mediaFolderOf } from '../../blobs/blob-folders.ts';
import { blobFoldersOf } from '../../blobs/blob-life.ts';
import { blobs } from '../../blobs/blobs.ts';
import type { Blobs } from '../../blobs/blobs-port.ts';
import { inChunks } from '../../runtime/chunks.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { accountKey, accountListKey, DOMAIN_REMOVAL_PREFIX, dataKeyKey } from '../keys/account.ts';
import { accountPk, familyOfPk, type Key, part } from '../keys/key.ts';
import { environmentOfThread } from '../keys/phone.ts';
import type { Item } from '../table.ts';
import { type TablePages, tablePages } from '../table-pages.ts';

/** The account to remove and its environments. */
type RemovedAccount = { accountId: string; environmentIds: readonly string[] };

/** The result of removing one page. `next` is where to continue, undefined at the end of the table. */
export type RemovedPage = { examined: number; items: number; objects: number; next: Key | undefined };

/** Removes everything that is stored of an account. Each step may be repeated. */
export type AccountRemoval = {
  /** Removes the account's items on one page of the table, with the stored objects that they name. */
  removePage(account: RemovedAccount, after: Key | undefined): Promise<RemovedPage>;
  /** Removes stored objects of the account that no item names; returns how many, 0 once none is left. */
  removeObjects(accountId: string): Promise<number>;
  /**
   * Removes the account's own partition at the end, and the account itself last, so that an interrupted
   * removal finds it. A sender domain that the email provider has not deleted yet leaves a note for that.
   */
  removeAccount(accountId: string): Promise<number>;
};

const DELETES_AT_ONCE = 50;

function createAccountRemoval(table: Database, pages: () => TablePages, store: () => Blobs): AccountRemoval {
  async function remove(keys: readonly Key[]): Promise<void> {
    await inChunks(keys, DELETES_AT_ONCE, (key) => table.delete(key));
  }

  return {
    async removePage(account, after) {
      const { items, next } = await pages().read(after);
      const own = accountPk(account.accountId);
      const list = accountListKey('').pk;
      const found = items.filter((item) => item.pk !== own && item.pk !== list && isOf(account, item));
      const names = [...new Set(found.flatMap(objectsOf))];
      // First the objects: an interrupted removal finds them by their items.
      await inChunks(names, DELETES_AT_ONCE, (name) => store().delete(name));
      await remove(found.map(keyOf));
      return { examined: items.length, items: found.length, objects: names.length, next };
    },

    async removeObjects(accountId) {
      const folders = [
        ...blobFoldersOf(LIFE_FOLDERS, accountId),
        mediaFolderOf(accountId),
        exportFolderOf(accountId),
      ];
      const names = (await Promise.all(folders.map((folder) => store().list(`${folder}/`)))).flat();
      await inChunks(names, DELETES_AT_ONCE, (name) => store().delete(name));
      return names.length;
    },

    async removeAccount(accountId) {
      const last = [dataKeyKey(accountId), accountKey(accountId)].map(({ sk }) => sk);
      const items = await table.queryAll(accountPk(accountId), '', { consistent: true });
      const keys = items
        .map(keyOf)
        .filter(({ sk }) => !last.includes(sk) && !sk.startsWith(DOMAIN_REMOVAL_PREFIX));
      await remove(keys);
      await table.delete(accountListKey(accountId));
      await table.delete(dataKeyKey(accountId));
      await table.delete(accountKey(accountId));
      return keys.length + 3;
    },
  };
}

/** Families of partitions whose key's second part is the account or one of its environments. */
const NAMED_FAMILIES = new Set([
  ...['ENV', 'TEMPLATES', 'WEBHOOKATTEMPTS', 'USER', 'SOCKETS', 'DIGEST', 'THROTTLE', 'TOPIC', 'CONTACT'],
  ...['SUPPRESSION', 'SMSOPTOUT', 'PHONECOUNT', 'BREAKER', 'USAGE', 'KEYCOPY'],
]);

/** True if an item belongs to the account: by its key, or by the owner that it names. */
function isOf({ accountId, environmentIds }: RemovedAccount, item: Item): boolean {
  const { family, owner } = familyOfPk(String(item.pk));
  const owners = new Set([accountId, ...environmentIds].map(part));
  if (owner !== undefined && NAMED_FAMILIES.has(family)) return owners.has(owner);
  const environments = new Set<unknown>(environmentIds);
  if (family === 'LOG') return item.a === accountId || environments.has(item.e);
  if (family === 'SMSTHREAD') return owners.has(environmentOfThread(String(item.sk)));
  const { call } = item;
  const named: { accountId?: unknown; environmentId?: unknown } =
    family === 'WEBHOOKCALL' ? Object(call) : item;
  return named.accountId === accountId || environments.has(named.environmentId);
}

/** Names of the stored objects that an item refers to. */
function objectsOf(item: Item): string[] {
  const names = [item.blob, item.digestBlob, ...(Array.isArray(item.blobs) ? item.blobs : [])];
  return names.filter((name) => typeof name === 'string');
}

function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

export const accountRemoval = dependency('accountRemoval', () =>
  createAccountRemoval(
    resolve(database),
    () => resolve(tablePages),
    () => resolve(blobs),
  ),
);
