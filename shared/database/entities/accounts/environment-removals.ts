import * as v from 'valibot';
import { blobs } from '../../../blobs/blobs.ts';
import type { Blobs } from '../../../blobs/blobs-port.ts';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { deferred, dependency, resolve } from '../../../runtime/dependency.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import type { TablePages } from '../../client/table-pages.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import {
  accountListKey,
  ENVIRONMENT_REMOVAL_PREFIX,
  environmentKey,
  environmentRemovalKey,
  erasureReceiptPk,
} from '../../keys/account.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import { accountPk, claimKey, familyOfPk, type Key, keyOf, part } from '../../keys/key.ts';
import { environmentOfThread } from '../../keys/phone.ts';
import type { Item } from '../../table.ts';

/** What is removed: environments of an account, and the account itself when it `isWhole`. */
export type Removed = { accountId: string; environmentIds: readonly string[]; isWhole: boolean };

/** The result of removing pages. `next` is where to continue, undefined at the end of the table. */
export type RemovedPages = {
  examined: number;
  items: number;
  objects: number;
  next: Key | undefined;
  /** Start of the last page. */
  last: Key | undefined;
};

export type RemovalParts = { table: Database; pages: () => TablePages; store: () => Blobs };

export const DELETES_AT_ONCE = 50;
/** Leaves time for the current page before a function ends. */
export const STEP_MS = 20_000;

/** Removes pages of the table for about 20 seconds: items outside of the account's own partition, with the objects that they name. */
export async function removePages(
  { table, pages, store }: RemovalParts,
  removed: Removed,
  start: Key | undefined,
): Promise<RemovedPages> {
  const skipped = [accountPk(removed.accountId), accountListKey('').pk];
  const total: RemovedPages = { examined: 0, items: 0, objects: 0, next: start, last: undefined };
  const untilMs = performance.now() + STEP_MS;
  do {
    total.last = total.next;
    const { items, next } = await pages().read(total.next);
    const found = items.filter((item) => !skipped.includes(String(item.pk)) && isOf(removed, item));
    const names = [...new Set(found.flatMap(objectsOf))];
    // First the objects: an interrupted removal finds them by their items.
    await inChunks(names, DELETES_AT_ONCE, (name) => store().delete(name));
    await inChunks(found, DELETES_AT_ONCE, (item) => table.delete(keyOf(item)));
    total.examined += items.length;
    total.items += found.length;
    total.objects += names.length;
    total.next = next;
  } while (total.next && performance.now() < untilMs);
  return total;
}

/** Families of partitions whose key's second part is the account or one of its environments. */
const NAMED_FAMILIES = new Set([
  ...['ENV', 'TEMPLATES', 'WEBHOOKATTEMPTS', 'USER', 'SOCKETS', 'DIGEST', 'THROTTLE', 'TOPIC', 'CONTACT'],
  ...['SUPPRESSION', 'SMSOPTOUT', 'PHONECOUNT', 'BREAKER', 'USAGE', 'KEYCOPY'],
]);

/** Families that outlive an environment: the removal reads where it continues, and receipts of erasures are evidence. */
const OUTLIVING_FAMILIES = new Set(
  [ENVIRONMENT_REMOVAL_PREFIX, erasureReceiptPk('')].map((start) => familyOfPk(start).family),
);

/** True if an item belongs to what is removed: by its key, or by its stored owner. */
function isOf({ accountId, environmentIds, isWhole }: Removed, item: Item): boolean {
  const { family, owner } = familyOfPk(String(item.pk));
  const owners = new Set([...(isWhole ? [accountId] : []), ...environmentIds].map(part));
  if (owner !== undefined && NAMED_FAMILIES.has(family)) return owners.has(owner);
  const environments = new Set<unknown>(environmentIds);
  if (family === 'LOG') return (isWhole && item.a === accountId) || environments.has(item.e);
  if (family === 'SMSTHREAD') return owners.has(environmentOfThread(String(item.sk)));
  if (!isWhole && OUTLIVING_FAMILIES.has(family)) return false;
  const { call } = item;
  const named: { accountId?: unknown; environmentId?: unknown } =
    family === 'WEBHOOKCALL' ? Object(call) : item;
  return (isWhole && named.accountId === accountId) || environments.has(named.environmentId);
}

function objectsOf(item: Item): string[] {
  const names = [item.blob, item.digestBlob, ...(Array.isArray(item.blobs) ? item.blobs : [])];
  return names.filter((name) => typeof name === 'string');
}

const StoredRemoval = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  /** Time of the request; absent while the environment only has an end. */
  atMs: v.optional(v.number()),
  /** Where the table is read next; absent at its beginning. */
  next: v.optional(v.object({ pk: v.string(), sk: v.string() })),
});
export type EnvironmentRemoval = v.InferOutput<typeof StoredRemoval>;

/** Removals of environments. Each waits in the index `due` for its next step, so an interrupted one is continued. */
function createEnvironmentRemovals(parts: RemovalParts) {
  const { table } = parts;
  return {
    /** The removal that a due item names. */
    async findByPk(pk: string): Promise<EnvironmentRemoval | undefined> {
      const item = await table.get({ pk, sk: 'JOB' }, { consistent: true });
      return item && readStored('environment removal', StoredRemoval, item);
    },
    async save(removal: EnvironmentRemoval, dueAtMs: number): Promise<void> {
      const key = environmentRemovalKey(removal.environmentId);
      await table.put({ ...key, ...removal, ...dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk) });
    },
    /** Removes what belongs to the environment, for about 20 seconds. */
    removePages: ({ accountId, environmentId, next }: EnvironmentRemoval): Promise<RemovedPages> =>
      removePages(parts, { accountId, environmentIds: [environmentId], isWhole: false }, next),
    /** Removes what the account's partition has of the environment, the environment itself, and last the removal. */
    async finish({ accountId, environmentId }: EnvironmentRemoval): Promise<void> {
      const items = await table.queryAll(accountPk(accountId), '', { consistent: true });
      const itself = environmentKey(accountId, environmentId);
      const own = items.filter((item) => item.environmentId === environmentId && item.sk !== itself.sk);
      await inChunks(own, DELETES_AT_ONCE, (item) => table.delete(keyOf(item)));
      await table.delete(claimKey('environment', environmentId));
      await table.delete(itself);
      await table.delete(environmentRemovalKey(environmentId));
    },
  };
}

/** The pages of the table, which are loaded with the first. */
export const laterPages = () =>
  resolve(deferred('tablePages', async () => (await import('../../client/table-pages.ts')).tablePages));

export const environmentRemovals = dependency('environmentRemovals', () =>
  createEnvironmentRemovals({
    table: resolve(database),
    pages: laterPages,
    store: () => resolve(blobs),
  }),
);
