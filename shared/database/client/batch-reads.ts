import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../runtime/async/back-off.ts';
import { chunksOf } from '../../runtime/async/chunks.ts';
import type { Key } from '../keys/key.ts';
import type { Item } from '../table.ts';
import { type CapacityObserver, PAUSES, TRIES_MAX } from './batch-writes.ts';

const BATCH_GET_MAX = 100;

export type Connection = {
  client: DynamoDBDocumentClient;
  tableName: string;
  observe: CapacityObserver | undefined;
  table: { TableName: string; ReturnConsumedCapacity: ReturnConsumedCapacity | undefined };
};

export async function batchGet(
  connection: Connection,
  keys: readonly Key[],
  options?: { consistent?: boolean },
): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  for (const chunk of chunksOf(uniqueKeys(keys), BATCH_GET_MAX)) {
    let remaining: Item[] = chunk;
    for (let attempt = 0; remaining.length > 0; attempt += 1) {
      if (attempt === TRIES_MAX)
        throw new Error(`${remaining.length} keys of a batch were not read in ${TRIES_MAX} attempts`);
      if (attempt > 0) await backOff(attempt, PAUSES);
      const output = await connection.client.send(
        new BatchGetCommand({
          RequestItems: {
            [connection.tableName]: { Keys: remaining, ConsistentRead: options?.consistent },
          },
          ReturnConsumedCapacity: connection.observe ? 'INDEXES' : undefined,
        }),
      );
      connection.observe?.('batchGet', output.ConsumedCapacity);
      for (const item of output.Responses?.[connection.tableName] ?? [])
        found.set(`${item.pk}\n${item.sk}`, item);
      remaining = output.UnprocessedKeys?.[connection.tableName]?.Keys ?? [];
    }
  }
  return keys.map((key) => found.get(`${key.pk}\n${key.sk}`));
}

function uniqueKeys(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [`${key.pk}\n${key.sk}`, key])).values()];
}
