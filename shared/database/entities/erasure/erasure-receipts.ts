import * as v from 'valibot';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { newId } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { erasureReceiptKey, erasureReceiptPk } from '../../keys/account.ts';
import { keyOf } from '../../keys/key.ts';

const KEPT_SECONDS = 400 * DAY_SECONDS;

const StoredReceipt = v.object({
  /** Keyed hash of the environment and the user's ID. */
  person: v.string(),
  environmentId: v.string(),
  askedBy: v.string(),
  requestedAtMs: v.number(),
  finishedAtMs: v.number(),
  erasedLogs: v.number(),
});
/** The evidence of an erasure, without the person. */
type ErasureReceipt = v.InferOutput<typeof StoredReceipt>;

export type ErasureReceipts = ReturnType<typeof createErasureReceipts>;

function createErasureReceipts(table: Database) {
  return {
    async add(accountId: string, receipt: ErasureReceipt): Promise<void> {
      const key = erasureReceiptKey(accountId, isoOf(receipt.finishedAtMs), newId());
      const expiresAt = secondsAfter(receipt.finishedAtMs, KEPT_SECONDS);
      await table.put({ ...key, ...receipt, expiresAt });
    },
    /** Newest first. `next` continues the list. */
    async list(
      accountId: string,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<{ receipts: ErasureReceipt[]; next?: string }> {
      const pk = erasureReceiptPk(accountId);
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { pk, sk: after },
      });
      const receipts = readEach(page.items, (item) => readStored('erasure receipt', StoredReceipt, item));
      return { receipts, ...(page.lastKey ? { next: keyOf(page.lastKey).sk } : undefined) };
    },
  };
}

export const erasureReceipts = dependency('erasureReceipts', () => createErasureReceipts(resolve(database)));
