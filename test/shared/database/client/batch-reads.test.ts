import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchGet, type Connection } from '../../../../shared/database/client/batch-reads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TABLE = { TableName: 'T', ReturnConsumedCapacity: undefined };
const KEY = { pk: 'A#1', sk: 'A' };

/** A table that returns no item in the first `empty` attempts. */
function connectionOf(empty: number) {
  let calls = 0;
  const send = async () => {
    calls += 1;
    return calls <= empty
      ? { UnprocessedKeys: { T: { Keys: [KEY] } } }
      : { Responses: { T: [{ ...KEY, found: true }] } };
  };
  const client = { send } as unknown as DynamoDBDocumentClient;
  const connection: Connection = { client, tableName: 'T', observe: undefined, table: TABLE };
  return { connection, calls: () => calls };
}

async function settled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  return work;
}

it('reads unprocessed keys again', async () => {
  const { connection } = connectionOf(9);
  expect(await settled(batchGet(connection, [KEY]))).toEqual([{ ...KEY, found: true }]);
});

it('ends after ten attempts', async () => {
  const { connection, calls } = connectionOf(Number.POSITIVE_INFINITY);
  await expect(settled(batchGet(connection, [KEY]))).rejects.toThrow(
    '1 keys of a batch were not read in 10 attempts',
  );
  expect(calls()).toBe(10);
});
