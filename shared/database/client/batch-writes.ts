import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isAwsError } from '../../http-client/aws-fault.ts';
import { backOff } from '../../runtime/async/back-off.ts';
import { keyOf } from '../keys/key.ts';
import type { Item } from '../table.ts';

/** Consumed capacity of every call, for benchmarks: reported if an observer is set. */
export type CapacityObserver = (operation: string, capacity: unknown) => void;

/** Pauses between the attempts of a call. */
export const PAUSES = { startMs: 20, msMax: 1000 };

/** Attempts of a batch whose items or keys come back unprocessed. */
export const TRIES_MAX = 10;

/** Writes at most 25 items; returns the items that remain unprocessed after the last attempt. */
export async function putBatch(
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly Item[],
  observe: CapacityObserver | undefined,
): Promise<Item[]> {
  let remaining = [...items];
  for (let attempt = 0; remaining.length > 0 && attempt < TRIES_MAX; attempt += 1) {
    if (attempt > 0) await backOff(attempt, PAUSES);
    const rest = await writeBatch(client, tableName, remaining, observe);
    remaining = remaining.filter((item) => rest === 'all' || rest.has(JSON.stringify(keyOf(item))));
  }
  return remaining;
}

/** Returns the keys that were not written; the table rejects a batch if it can write none of its items. */
async function writeBatch(
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly Item[],
  observe: CapacityObserver | undefined,
): Promise<Set<string> | 'all'> {
  try {
    const output = await client.send(
      new BatchWriteCommand({
        RequestItems: { [tableName]: items.map((item) => ({ PutRequest: { Item: item } })) },
        ReturnConsumedCapacity: observe ? 'INDEXES' : undefined,
      }),
    );
    observe?.('batchPut', output.ConsumedCapacity);
    const unprocessed = output.UnprocessedItems?.[tableName] ?? [];
    return new Set(unprocessed.map(({ PutRequest }) => JSON.stringify(keyOf(PutRequest?.Item ?? {}))));
  } catch (error) {
    if (isAwsError(error, 'throttled')) return 'all';
    throw error;
  }
}
