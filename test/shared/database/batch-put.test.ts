import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../shared/database/database.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  return () => void vi.useRealTimers();
});

/** What it returns, without its pauses. */
async function batchPut(client: DynamoDBDocumentClient, items: { pk: string; sk: string }[]) {
  const put = createDatabase(client, 'table').batchPut(items);
  await vi.runAllTimersAsync();
  return put;
}

type Request = { PutRequest: { Item: { pk: string } } };

/** A table that leaves every other item of each batch unprocessed. */
function halfThrottledTable() {
  const written: string[] = [];
  const sizes: number[] = [];
  const client = {
    send: async ({ input }: { input: { RequestItems: { table: Request[] } } }) => {
      const wanted = input.RequestItems.table;
      sizes.push(wanted.length);
      const done = wanted.filter((_, index) => index % 2 === 0);
      written.push(...done.map(({ PutRequest }) => PutRequest.Item.pk));
      return { UnprocessedItems: { table: wanted.filter((each) => !done.includes(each)) } };
    },
  };
  return { written, sizes, client: client as unknown as DynamoDBDocumentClient };
}

it('writes every item of a batch once, 25 at a time, and retries what the table left unprocessed', async () => {
  const { written, sizes, client } = halfThrottledTable();
  const items = Array.from({ length: 60 }, (_, index) => ({ pk: `item-${index}`, sk: 'HEAD' }));
  expect(await batchPut(client, items)).toEqual([]);
  expect(written.sort()).toEqual(items.map(({ pk }) => pk).sort());
  expect(Math.max(...sizes)).toBe(25);
});

it('returns exactly the items that the table kept throttling, some or all', async () => {
  const items = ['stored', 'throttled', 'other'].map((pk) => ({ pk, sk: 'HEAD' }));
  const written: string[] = [];
  const client = {
    send: async ({ input }: { input: { RequestItems: { table: Request[] } } }) => {
      const wanted = input.RequestItems.table;
      const isLast = wanted.every(({ PutRequest }) => PutRequest.Item.pk === 'throttled');
      if (isLast)
        throw Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
      const done = wanted.filter(({ PutRequest }) => PutRequest.Item.pk !== 'throttled');
      written.push(...done.map(({ PutRequest }) => PutRequest.Item.pk));
      return { UnprocessedItems: { table: wanted.filter((each) => !done.includes(each)) } };
    },
  } as unknown as DynamoDBDocumentClient;
  expect(await batchPut(client, items)).toEqual([items[1]]);
  expect(written).toEqual(['stored', 'other']);
});

it('throws any other error of the table', async () => {
  const client = {
    send: () => Promise.reject(new Error('no such table')),
  } as unknown as DynamoDBDocumentClient;
  await expect(createDatabase(client, 'table').batchPut([{ pk: 'a', sk: 'b' }])).rejects.toThrow(
    'no such table',
  );
});
