import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createDatabase } from '../../../shared/database/database.ts';

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

it('writes every item of a batch once, 25 at a time, and again what the table left unprocessed', async () => {
  const { written, sizes, client } = halfThrottledTable();
  const items = Array.from({ length: 60 }, (_, index) => ({ pk: `item-${index}`, sk: 'HEAD' }));
  await createDatabase(client, 'table').batchPut(items);
  expect(written.sort()).toEqual(items.map(({ pk }) => pk).sort());
  expect(Math.max(...sizes)).toBe(25);
});
