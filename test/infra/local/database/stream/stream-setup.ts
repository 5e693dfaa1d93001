import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { afterEach } from 'vitest';
import { createTable, localClient } from '../../../../../infra/local/database/dynamodb-local/create-table.ts';
import { openServerStream } from '../../../../../infra/local/database/dynamodb-local/server-stream.ts';
import type { LocalStreamEvent } from '../../../../../infra/local/database/stream/stream-event.ts';
import type { StreamReaderOptions } from '../../../../../infra/local/database/stream/stream-options.ts';
import { readStream, type StreamReader } from '../../../../../infra/local/database/stream/stream-reader.ts';
import { openQueueStore } from '../../../../../infra/local/queue/queue.ts';
import { dynamodbEndpoint } from '../../../../support/dynamodb.ts';

export const cleanups: (() => Promise<void> | void)[] = [];

type Handler = (event: LocalStreamEvent) => DynamoDBBatchResponse | undefined;

/** A separate table, and readers of its stream that share one store of checkpoints. */
export async function openTable(given?: string) {
  const endpoint = given ?? (await dynamodbEndpoint());
  const client = localClient(endpoint);
  const tableName = `stream-${randomBytes(8).toString('hex')}`;
  const streamArn = await createTable(endpoint, tableName);
  const store: DatabaseSync = openQueueStore(':memory:');
  cleanups.push(
    () => store.close(),
    () => client.destroy(),
  );
  const put = (pk: string, data: Record<string, Uint8Array> = {}) => {
    const attributes = Object.entries(data).map(([name, bytes]) => [name, { B: bytes }]);
    const Item = { pk: { S: pk }, sk: { S: 'HEAD' }, ...Object.fromEntries(attributes) };
    return client.send(new PutItemCommand({ TableName: tableName, Item }));
  };
  const read = (handler: Handler, overrides: Partial<StreamReaderOptions> = {}): StreamReader => {
    const reader = readStream({
      source: openServerStream(endpoint, streamArn),
      store,
      batchSize: 100,
      prefixes: ['LOG#'],
      handler: async (event) => handler(event),
      onError: () => {},
      ...overrides,
    });
    cleanups.push(() => reader.stop());
    return reader;
  };
  return { put, read, streamArn, store };
}

export async function putAll(put: (pk: string) => Promise<unknown>, names: readonly string[]): Promise<void> {
  for (const name of names) await put(`LOG#${name}`);
}

export function keysOf(event: LocalStreamEvent): string[] {
  return event.Records.map((record) => record.dynamodb?.Keys?.pk?.S?.slice('LOG#'.length) ?? '');
}

export const countTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

/** Starts this set-up for the tests of a file. */
export function useStreams(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}
