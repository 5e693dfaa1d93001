import * as v from 'valibot';
import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../runtime/durations.ts';
import { newId } from '../../runtime/ids.ts';
import { type Database, database } from '../database.ts';
import { erasureReceiptKey, erasureReceiptPk } from '../keys/account.ts';
import { keyOf } from '../keys/key.ts';
import { readEach, readStored } from './stored.ts';

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

export type ErasureReceipts = {
  add(accountId: string, receipt: ErasureReceipt): Promise<void>;
  /** Newest first. `next` continues the list. */
  list(
    accountId: string,
    range: { limit: number; after?: string | undefined },
  ): Promise<{ receipts: ErasureReceipt[]; next?: string }>;
};

function createErasureReceipts(table: Database): ErasureReceipts {
  return {
    async add(accountId, receipt) {
      const key = erasureReceiptKey(accountId, isoOf(receipt.finishedAtMs), newId());
      const expiresAt = secondsAfter(receipt.finishedAtMs, KEPT_SECONDS);
      await table.put({ ...key, ...receipt, expiresAt });
    },
    async list(accountId, { limit, after }) {
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
